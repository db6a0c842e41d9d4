import type * as v from 'valibot'
import { type Actor, authorize } from '../actor.ts'
import type { Ports } from '../ports.ts'
import { validate } from '../records/input.ts'
import { type Listing, metaOf, querySchema } from '../records/query.ts'
import { unitOf, viewsOf } from '../records/unit.ts'
import { type MemberView, memberView } from './member.ts'

export const MEMBERS_SCOPE = 'members:read'

const listQuery = querySchema(['created_at'], {})

export function memberApi({ storage }: Pick<Ports, 'storage'>) {
  return {
    /** @throws CrmError `insufficient_scope`, `validation_error` */
    async list(actor: Actor, query: v.InferInput<typeof listQuery> = {}): Promise<Listing<MemberView>> {
      authorize(actor, MEMBERS_SCOPE)
      const { page, per_page, order } = validate(listQuery, query, 'parameter')
      return storage.read(async (tx) => {
        const { stores, shared } = unitOf(tx, actor.workspaceId)
        const wanted = { page, per_page, order, order_by: 'created_at', where: [{ field: 'removed_at', is: null }] } as const
        const { rows, total } = await stores.members.list(wanted)
        const users = await viewsOf(
          shared.users,
          rows.map(({ id }) => id),
          (user) => user,
        )
        return { data: rows.map((member) => memberView(member, users.get(member.id))), meta: metaOf({ page, per_page }, total) }
      })
    },
  }
}
