import { arrayOf, oneOf, text, toolArguments } from '../argument-schemas.ts'
import { ENTITIES, isEntity, recordApiOf } from '../entity.ts'
import { BATCH_RESULT_SCHEMA, runBatch } from '../record-batch.ts'
import { defineTool, OVERWRITE_HINTS } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'

export const deleteRecords = defineTool({
  name: 'delete_records',
  title: 'Delete records',
  description:
    'Deletes up to 25 records of one kind permanently. Each record succeeds or fails independently.',
  hints: OVERWRITE_HINTS,
  output: BATCH_RESULT_SCHEMA,
  input(scopes) {
    const entities = allowedEntities(scopes, ENTITIES, ['write'])
    return entities.length > 0
      ? toolArguments({ entity: oneOf(entities), ids: arrayOf(text(), 25, 'ids') })
      : undefined
  },
  requiredScopes: ({ entity }) => (isEntity(entity) ? scopesFor(entity, ['write']) : []),
  run(caller, { entity, ids }) {
    const { crm, actor } = caller
    const records = recordApiOf(crm, entity)
    const items = ids.map((id) => ({
      id,
      async work() {
        await records.remove(actor, id)
        return {}
      },
    }))
    return runBatch(caller, items)
  },
})
