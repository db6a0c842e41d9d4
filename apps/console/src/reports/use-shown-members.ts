import { useMenu } from '../reference/queries.ts'
import type { ReportFilters } from './report-filters.ts'

/** Tells whether the filters show what a member owns; undefined until members and teams are read. */
export function useShownMembers({
  owner,
}: ReportFilters): ((memberId: string | null) => boolean) | undefined {
  const members = useMenu('members')
  const teams = useMenu('teams')
  if (members.isPending || teams.isPending) return undefined
  const team = teams.data?.find(({ id }) => id === owner.team_id)
  return (memberId) => {
    if (owner.team_id !== undefined) return team?.members.some(({ id }) => id === memberId) ?? false
    const email = members.data?.find(({ id }) => id === memberId)?.email
    return owner.owner_email === undefined || email?.toLowerCase() === owner.owner_email.toLowerCase()
  }
}
