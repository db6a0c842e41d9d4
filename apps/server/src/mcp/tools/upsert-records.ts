import type { UpsertApi, UpsertKind } from '@sales-crm/core'
import { UPSERT_KINDS } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { arrayOf, fields, oneOf, toolArguments } from '../argument-schemas.ts'
import { createErrorExplainer } from '../error-explainer.ts'
import { BATCH_RESULT_SCHEMA, runBatch } from '../record-batch.ts'
import { defineTool, OVERWRITE_HINTS } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'
import { dealScopesFor } from './deal-scopes.ts'

const VERBS = ['write'] as const
const upsertFields = v.looseObject({ match: fields(), record: fields() }, 'Must be an object.')

export const upsertRecords = defineTool({
  name: 'upsert_records',
  title: 'Create or update records',
  description:
    'For up to 25 records of one kind: changes the record that holds the value of match, or creates one. match has exactly ' +
    'one of external_id {source, id}, email, phone (people, companies), code (products), custom_field {key, value}. ' +
    'Each succeeds or fails independently: see results, in the order of records.',
  hints: OVERWRITE_HINTS,
  write: 'create',
  output: BATCH_RESULT_SCHEMA,
  input(scopes) {
    const entities = allowedEntities(scopes, UPSERT_KINDS, VERBS)
    if (entities.length === 0) return undefined
    return toolArguments({ entity: oneOf(entities), records: arrayOf(upsertFields, 25, 'records') })
  },
  requiredScopes({ entity, records }) {
    if (!isUpsertKind(entity)) return []
    const inputs = Array.isArray(records) ? records.map((each) => Object(each).record) : []
    return [...scopesFor(entity, VERBS), ...dealScopesFor(entity, inputs, (deals) => deals != null)]
  },
  run(caller, { entity, records }) {
    const { crm, actor } = caller
    const api = crm[entity as UpsertKind] as UpsertApi<UpsertKind, object, { readonly id: string }>
    const items = records.map((record) => ({
      async work() {
        const { data, isNew } = await api.upsert(actor, record as never)
        return { id: data.id, created: isNew }
      },
    }))
    return runBatch(caller, items, createErrorExplainer(caller, entity, 'update'))
  },
})

function isUpsertKind(entity: unknown): entity is UpsertKind {
  return UPSERT_KINDS.some((kind) => kind === entity)
}
