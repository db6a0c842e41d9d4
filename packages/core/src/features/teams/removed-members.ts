import type { ChangeContext } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Team } from '../../schema/team.ts'
import { emitAllEvents, loadWebhooks } from '../webhooks/emit-events.ts'
import { lockTeams } from './lock-teams.ts'

/** Takes a member who is removed from the workspace off its teams, which keep the id of the member. */
export function leaveTeams(
  memberId: string,
  transaction: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  const isMember = ({ id }: { readonly id: string }) => id === memberId
  return changeTeams(transaction, context, ({ members, removed_member_ids }) =>
    members.some(isMember)
      ? {
          members: members.filter((member) => !isMember(member)),
          removed_member_ids: [...removed_member_ids, memberId],
        }
      : undefined,
  )
}

/** A member who joins again is on no team. */
export function forgetRemovedMember(
  memberId: string,
  transaction: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  return changeTeams(transaction, context, ({ removed_member_ids }) =>
    removed_member_ids.includes(memberId)
      ? { removed_member_ids: removed_member_ids.filter((id) => id !== memberId) }
      : undefined,
  )
}

type TeamChange = Partial<Pick<Team, 'members' | 'removed_member_ids'>>

/** @param change returns undefined for a team that does not change */
async function changeTeams(
  transaction: WorkspaceTransaction,
  context: ChangeContext,
  change: (team: Team) => TeamChange | undefined,
): Promise<void> {
  const { teams } = transaction.stores
  await lockTeams(transaction)
  const changes = (await teams.find([])).flatMap((before) => {
    const fields = change(before)
    if (!fields) return []
    const isShown = fields.members !== undefined
    return { isShown, after: { ...before, ...fields, updated_at: isShown ? context.at : before.updated_at } }
  })
  for (const { after } of changes) await teams.update(after)
  const events = changes
    .filter(({ isShown }) => isShown)
    .map(({ after: { removed_member_ids: _, ...team } }) => ({
      ...{ events: ['team.updated'] as const, snapshot: { team } },
    }))
  await emitAllEvents(await loadWebhooks(transaction), async () => events, transaction, context)
}
