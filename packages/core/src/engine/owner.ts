import type { Writer } from '../kernel/permissions.ts'
import { isBounded } from '../kernel/visibility.ts'
import type { Owner } from '../schema/views.ts'
import { findMemberId } from './references.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** Loads members by their user ids, without removed ones. */
export async function loadOwners(
  ids: readonly string[],
  { stores, shared }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, Owner>> {
  if (ids.length === 0) return new Map()
  const [users, members] = await Promise.all([shared.users.getMany(ids), stores.members.getMany(ids)])
  const current = new Set(members.filter(({ removed_at }) => removed_at === null).map(({ id }) => id))
  return new Map(
    users.filter(({ id }) => current.has(id)).map(({ id, name, email }) => [id, { id, name, email }]),
  )
}

/** The record for a permission check: a removed member counts as no owner where the records of others are visible. */
export async function resolveEffectiveOwner<R extends object>(
  record: R,
  { collection }: { readonly collection: string },
  actor: Writer,
  transaction: WorkspaceTransaction,
): Promise<R> {
  const { owner_user_id: owner = null } = record as { readonly owner_user_id?: string | null }
  // The lookup only matters to a member, for a record of another owner.
  if (actor.role !== 'member' || owner === null || owner === actor.userId) return record
  if (actor.viewer && isBounded(collection, actor.viewer)) return record
  return (await findMemberId(owner, transaction)) === undefined ? { ...record, owner_user_id: null } : record
}
