import type { CrmError } from '@sales-crm/core'
import * as v from 'valibot'
import { arrayOf, fields, oneOf, text, toolArguments } from '../argument-schemas.ts'
import { ENTITIES, isEntity, recordApiOf } from '../entity.ts'
import { createErrorExplainer } from '../error-explainer.ts'
import { renameFields } from '../error-text.ts'
import { BATCH_RESULT_SCHEMA, runBatch } from '../record-batch.ts'
import { type Arguments, CREATE_HINTS, defineTool } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'
import { dealScopesFor } from './deal-scopes.ts'

/**
 * Shorter than the core's limit, because the user id and the record's index are added to it: each record is
 * created idempotently on its own, and one client serves many users whose models choose similar keys.
 */
const idempotencyKey = v.pipe(
  text('The same call sent again with the same key makes nothing twice, for 24 hours'),
  v.regex(/^[ -~]{1,200}$/, 'Must be 1 to 200 printable ASCII characters.'),
)

export const createRecords = defineTool({
  name: 'create_records',
  title: 'Create records',
  description:
    'Creates up to 25 records of one kind. describe_schema lists the fields. ' +
    'Each record succeeds or fails independently: see results, in the order of records.',
  hints: CREATE_HINTS,
  write: 'create',
  output: BATCH_RESULT_SCHEMA,
  input(scopes) {
    const entities = allowedEntities(scopes, ENTITIES, ['write'])
    if (entities.length === 0) return undefined
    return toolArguments({
      entity: oneOf(entities),
      records: arrayOf(fields(), 25, 'records'),
      idempotency_key: v.optional(idempotencyKey),
    })
  },
  requiredScopes: ({ entity, records }) =>
    isEntity(entity)
      ? [...scopesFor(entity, ['write']), ...dealScopesFor(entity, records, (deals) => deals != null)]
      : [],
  run(caller, { entity, records, idempotency_key }) {
    const { crm, actor } = caller
    const api = recordApiOf(crm, entity)
    const createRecord = (record: Arguments) =>
      api.create(actor, record as never) as Promise<{ readonly id: string }>
    const items = records.map((record, index) => ({
      async work() {
        if (idempotency_key === undefined) return { id: (await createRecord(record)).id }
        const key = `${actor.userId} ${idempotency_key} ${index}`
        const { response, isReplay } = await api.createIdempotent(actor, key, record as never)
        return { id: response.id, ...(isReplay && { replayed: isReplay }) }
      },
    }))
    const explain = createErrorExplainer(caller, entity, 'create')
    return runBatch(caller, items, (error) => explain(renameKeyField(error)))
  },
})

function renameKeyField(error: CrmError): CrmError {
  return renameFields(error, (field) => (field === 'Idempotency-Key' ? 'idempotency_key' : field))
}
