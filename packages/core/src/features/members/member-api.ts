import type * as v from 'valibot'
import { type Listing, querySchema, toPageMeta } from '../../engine/list-query.ts'
import { validate } from '../../engine/validate.ts'
import { loadViews } from '../../engine/views.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { Ports } from '../../ports/index.ts'
import { loadMe, type Me } from './me.ts'
import { type MemberView, toMemberView } from './member.ts'

/** The scope of `crm.members.list`. */
export const MEMBERS_SCOPE = 'members:read'

const listQuery = querySchema(['created_at'], {})

/** The members of the actor's workspace. */
export interface MemberApi {
  /**
   * Returns a page of the current members, the latest to join first by default.
   * @throws CrmError `insufficient_scope`, `validation_error`
   */
  list(actor: Actor, query?: v.InferInput<typeof listQuery>): Promise<Listing<MemberView>>
  /**
   * Returns the member whom the actor acts for, with role, workspaces and scopes. Any scope is sufficient.
   * @throws CrmError `not_found` for a member who was removed
   */
  me(actor: Actor): Promise<Me>
}

export function memberApi({ storage }: Pick<Ports, 'storage'>): MemberApi {
  return {
    me: (actor) => loadMe({ storage }, actor),
    async list(actor, query = {}) {
      requireScope(actor, MEMBERS_SCOPE)
      const { page, per_page, order } = validate(listQuery, query, 'parameter')
      return storage.read(async (tx) => {
        const { stores, shared } = inWorkspace(tx, actor.workspaceId)
        const storeQuery = {
          page,
          per_page,
          order,
          order_by: 'created_at',
          where: [{ field: 'removed_at', is: null }],
        } as const
        const { rows, total } = await stores.members.list(storeQuery)
        const users = await loadViews(
          shared.users,
          rows.map(({ id }) => id),
          (user) => user,
        )
        return {
          data: rows.map((member) => toMemberView(member, users.get(member.id))),
          meta: toPageMeta({ page, per_page }, total),
        }
      })
    },
  }
}
