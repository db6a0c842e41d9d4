import { findMemberIdByEmail } from '../../engine/references.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { notFoundRule, validationError } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Condition } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Team } from '../../schema/team.ts'

interface Range {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
}

/** @throws CrmError `validation_error` */
export function checkRange({ from, to }: Range): void {
  if (from !== undefined && to !== undefined && to < from)
    throw validationError({ to: 'Must not be before from.' })
}

export function whereClosedBetween(
  from: Instant | undefined,
  to: Instant | undefined,
): readonly Condition<Deal>[] {
  return [
    ...(from === undefined ? [] : [{ field: 'closed_at', from } as const]),
    ...(to === undefined ? [] : [{ field: 'closed_at', to } as const]),
  ]
}

/** @throws CrmError `validation_error` */
export async function loadTeam(id: string, { stores }: WorkspaceTransaction): Promise<Team> {
  const team = await stores.teams.get(id)
  if (!team) throw validationError({ team_id: notFoundRule('Team') })
  return team
}

export async function findOwnerId(
  email: string | undefined,
  transaction: WorkspaceTransaction,
): Promise<string | null> {
  if (email === undefined) return null
  const owner = await findMemberIdByEmail(email, transaction)
  if (owner === undefined) throw validationError({ owner_email: 'Member not found.' })
  return owner
}
