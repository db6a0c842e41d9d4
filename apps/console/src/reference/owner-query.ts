import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'

/** Whose records a list has: those of a member, of the members of a team, or all. */
export interface OwnerQuery {
  readonly owner_email?: string
  readonly team_id?: string
}

/** In the address, whoever opens it. */
export const ME = 'me'
const TEAM = 'team:'

/** The value of a team in the address. */
export function teamValue(id: string): string {
  return `${TEAM}${id}`
}

/** Reads what the address says about owners: `me`, an e-mail address, or a team. */
export function parseOwner(value: string | null, me: { readonly email: string }): OwnerQuery {
  if (!value) return {}
  if (value.startsWith(TEAM)) return { team_id: value.slice(TEAM.length) }
  return { owner_email: value === ME ? me.email : value }
}

export function useOwnerQuery(): OwnerQuery {
  const { me } = useConsole()
  const { params } = useViewParams()
  return parseOwner(params.get('owner'), me)
}
