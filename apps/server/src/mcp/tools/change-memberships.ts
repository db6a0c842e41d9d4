import type { MembershipApi } from '@sales-crm/core'
import * as v from 'valibot'
import { eachOf, RESULTS } from '../each.ts'
import { args, oneOf, several, text } from '../inputs.ts'
import { type Entity, isEntity } from '../kinds.ts'
import { explainer } from '../options.ts'
import { openTo, scopesFor } from '../scopes.ts'
import { CHANGES, defineTool } from '../tool.ts'

const AMONG = ['people', 'companies', 'deals'] as const satisfies readonly Entity[]
const VERBS = ['write'] as const

const tags = v.optional(several(text(), 50, 'tags'))
const lists = v.optional(several(text(), 50, 'lists'))

export const changeMemberships = defineTool({
  name: 'change_memberships',
  title: 'Change tags and lists',
  description: 'Adds tags (by id or key) and lists (by id) to up to 25 records of one kind, or takes them off. Others stay.',
  hints: CHANGES,
  output: RESULTS,
  input(scopes) {
    const open = openTo(scopes, AMONG, VERBS)
    if (open.length === 0) return undefined
    const changes = { add_tags: tags, remove_tags: tags, add_lists: lists, remove_lists: lists }
    return args({ entity: oneOf(open), ids: several(text(), 25, 'ids'), ...changes })
  },
  needs: ({ entity }) => (isAmong(entity) ? scopesFor(entity, VERBS) : []),
  run(caller, { entity, ids, ...changes }) {
    const { crm, actor } = caller
    const records: MembershipApi = crm[entity as (typeof AMONG)[number]]
    const parts = ids.map((id) => ({
      id,
      async work() {
        await records.changeMemberships(actor, id, changes)
        return {}
      },
    }))
    return eachOf(caller, parts, explainer(caller, entity, 'update'))
  },
})

function isAmong(entity: unknown): entity is (typeof AMONG)[number] {
  return isEntity(entity) && AMONG.some((each) => each === entity)
}
