import type { Actor } from '../actor.ts'
import { memberById } from './references.ts'
import { idsIn, type Unit, viewsOf } from './unit.ts'

/** The workspace member responsible for a record. */
export interface Owner {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** The owners of a page of records, by user id. Members who have left are not among them. */
export async function ownersOf(
  page: readonly { readonly owner_user_id: string | null }[],
  { stores, shared }: Unit,
): Promise<ReadonlyMap<string, Owner>> {
  const ids = idsIn(page, 'owner_user_id')
  const [users, members] = await Promise.all([
    viewsOf(shared.users, ids, ({ id, name, email }): Owner => ({ id, name, email })),
    viewsOf(stores.members, ids, (member) => member.removed_at === null),
  ])
  return new Map([...users].filter(([id]) => members.get(id)))
}

/** The record as permissions see it: what someone who has left the workspace owned, nobody owns. */
export async function asOwned<R extends object>(record: R, actor: Actor, unit: Unit): Promise<R> {
  const { owner_user_id: owner = null } = record as { readonly owner_user_id?: string | null }
  // It matters to a member alone, and only where the owner is another: nobody else waits for a look.
  if (actor.role !== 'member' || owner === null || owner === actor.userId) return record
  return (await memberById(owner, unit)) === undefined ? { ...record, owner_user_id: null } : record
}
