import type { Actor } from '../kernel/actor.ts'
import { findMemberId } from './references.ts'
import { collectIds, loadViews } from './views.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** The workspace member responsible for a record. Views have null for nobody and for a removed member. */
export interface Owner {
  /** The user id: `owner_user_id` in inputs. */
  readonly id: string
  readonly name: string
  /** In lower case; `owner_email` in inputs. */
  readonly email: string
}

/** The owners of a page of records by user id, without removed members. */
export async function loadOwners(
  page: readonly { readonly owner_user_id: string | null }[],
  { stores, shared }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, Owner>> {
  const ids = collectIds(page, 'owner_user_id')
  const [users, members] = await Promise.all([
    loadViews(shared.users, ids, ({ id, name, email }): Owner => ({ id, name, email })),
    loadViews(stores.members, ids, (member) => member.removed_at === null),
  ])
  return new Map([...users].filter(([id]) => members.get(id)))
}

/** The record for a permission check: a removed member counts as no owner. */
export async function resolveEffectiveOwner<R extends object>(
  record: R,
  actor: Actor,
  unit: WorkspaceTransaction,
): Promise<R> {
  const { owner_user_id: owner = null } = record as { readonly owner_user_id?: string | null }
  // The lookup only matters to a member, for a record of another owner.
  if (actor.role !== 'member' || owner === null || owner === actor.userId) return record
  return (await findMemberId(owner, unit)) === undefined ? { ...record, owner_user_id: null } : record
}
