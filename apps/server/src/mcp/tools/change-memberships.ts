import type { MembershipApi } from '@sales-crm/core'
import * as v from 'valibot'
import { arrayOf, oneOf, text, toolArguments } from '../argument-schemas.ts'
import { type Entity, isEntity } from '../entity.ts'
import { createErrorExplainer } from '../error-explainer.ts'
import { BATCH_RESULT_SCHEMA, runBatch } from '../record-batch.ts'
import { defineTool, UPDATE_HINTS } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'

const MEMBERSHIP_ENTITIES = ['people', 'companies', 'deals'] as const satisfies readonly Entity[]
const VERBS = ['write'] as const

const tags = v.optional(arrayOf(text(), 50, 'tags'))
const lists = v.optional(arrayOf(text(), 50, 'lists'))

export const changeMemberships = defineTool({
  name: 'change_memberships',
  title: 'Change tags and lists',
  description:
    'Adds tags (by id or key) and lists (by id) to up to 25 records of one kind, or removes them. ' +
    'Other tags and lists stay.',
  hints: UPDATE_HINTS,
  write: 'update',
  output: BATCH_RESULT_SCHEMA,
  input(scopes) {
    const entities = allowedEntities(scopes, MEMBERSHIP_ENTITIES, VERBS)
    if (entities.length === 0) return undefined
    const changes = { add_tags: tags, remove_tags: tags, add_lists: lists, remove_lists: lists }
    return toolArguments({ entity: oneOf(entities), ids: arrayOf(text(), 25, 'ids'), ...changes })
  },
  requiredScopes: ({ entity }) => (hasMemberships(entity) ? scopesFor(entity, VERBS) : []),
  run(caller, { entity, ids, ...changes }) {
    const { crm, actor } = caller
    const records: MembershipApi<object> = crm[entity as (typeof MEMBERSHIP_ENTITIES)[number]]
    const items = ids.map((id) => ({
      id,
      async work() {
        await records.changeMemberships(actor, id, changes)
        return {}
      },
    }))
    return runBatch(caller, items, createErrorExplainer(caller, entity, 'update'))
  },
})

function hasMemberships(entity: unknown): entity is (typeof MEMBERSHIP_ENTITIES)[number] {
  return isEntity(entity) && MEMBERSHIP_ENTITIES.some((each) => each === entity)
}
