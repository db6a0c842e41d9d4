import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import { listOpenInvitations } from './invitation.ts'

/** Somebody with an open invitation. Records may become theirs before they join. */
export interface InvitedColleague {
  /** The user id. */
  readonly id: string
  /** In lower case. */
  readonly email: string
}

export async function findInvitedColleagues(
  transaction: WorkspaceTransaction,
  at: Instant,
): Promise<readonly InvitedColleague[]> {
  const emails = (await listOpenInvitations(transaction, at)).map(({ email }) => email)
  if (emails.length === 0) return []
  const users = await transaction.shared.users.find([{ field: 'email', oneOf: emails }])
  return users.map(({ id, email }) => ({ id, email }))
}
