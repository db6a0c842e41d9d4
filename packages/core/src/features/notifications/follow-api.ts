import { prepareTerms } from '../../engine/build-record.ts'
import { findCurrentFollowers } from '../../engine/following.ts'
import { loadForUpdate } from '../../engine/load-record.ts'
import { withCurrentRole } from '../../engine/load-role.ts'
import type { Resource } from '../../engine/resource.ts'
import { inWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Ports } from '../../ports/index.ts'
import type { Follower } from '../../schema/following.ts'

/** Following single records, such as `crm.deals.follow`. Both may be repeated. They are no change of the record. */
export interface FollowApi {
  /**
   * Notifies the member of changes by others, while it is one and sees the record.
   * @throws CrmError `insufficient_scope`, `not_found`
   */
  follow(actor: Actor, id: string): Promise<void>
  /** @throws CrmError `insufficient_scope`, `not_found` */
  unfollow(actor: Actor, id: string): Promise<void>
}

interface Followable extends RecordBase {
  readonly followers: readonly Follower[]
}

export function followApi<R extends Followable>(
  resource: Pick<Resource<R>, 'label' | 'store' | 'scopes' | 'searchTerms' | 'defaults'>,
  ports: Pick<Ports, 'storage' | 'issuer' | 'now' | 'parsePhone'>,
): FollowApi {
  async function change(actor: Actor, id: string, isFollowing: boolean): Promise<void> {
    requireScope(actor, resource.scopes.read)
    await ports.storage.transact(async (tx) => {
      const transaction = inWorkspace(tx, actor, ports)
      await withCurrentRole(actor, transaction)
      const record = await loadForUpdate(resource, id, transaction)
      const followers = await changeFollowers(record, isFollowing, transaction)
      if (followers.length === record.followers.length && isFollowing === isFollower(record, actor)) return
      const addTerms = await prepareTerms(resource, ports, transaction)
      await resource.store(transaction.stores).update(addTerms({ ...record, followers }))
    })
  }

  return {
    follow: (actor, id) => change(actor, id, true),
    unfollow: (actor, id) => change(actor, id, false),
  }
}

const isFollower = ({ followers }: Followable, { userId }: Actor) =>
  followers.some(({ member_id }) => member_id === userId)

/** Leaves out who is no member any more. */
async function changeFollowers(
  record: Followable,
  isFollowing: boolean,
  transaction: ViewTransaction,
): Promise<readonly Follower[]> {
  const { userId } = transaction.actor
  const current = await findCurrentFollowers(record, transaction)
  if (isFollowing && current.some(({ member_id }) => member_id === userId)) return current
  const others = current.filter(({ member_id }) => member_id !== userId)
  if (!isFollowing) return others
  const member = await transaction.stores.members.get(userId)
  return [...others, { member_id: userId, since: member!.created_at, followed_at: transaction.now() }]
}
