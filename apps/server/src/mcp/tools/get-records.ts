import { arrayOf, oneOf, text, toolArguments } from '../argument-schemas.ts'
import { ENTITIES, isEntity, recordApiOf } from '../entity.ts'
import { BATCH_RESULT_SCHEMA, runBatch } from '../record-batch.ts'
import { defineTool, READ_HINTS } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'

export const getRecords = defineTool({
  name: 'get_records',
  title: 'Get records',
  description:
    'Records by id, each once, with all fields, tags, lists and custom fields. Tags may be named by key.',
  hints: READ_HINTS,
  output: BATCH_RESULT_SCHEMA,
  input(scopes) {
    const entities = allowedEntities(scopes, ENTITIES, ['read'])
    return entities.length > 0
      ? toolArguments({ entity: oneOf(entities), ids: arrayOf(text(), 50, 'ids') })
      : undefined
  },
  requiredScopes: ({ entity }) => (isEntity(entity) ? scopesFor(entity, ['read']) : []),
  run(caller, { entity, ids }) {
    const { crm, actor } = caller
    const records = recordApiOf(crm, entity)
    const items = [...new Set(ids)].map((id) => ({
      id,
      work: async () => ({ record: await records.get(actor, id) }),
    }))
    return runBatch(caller, items)
  },
})
