import { arrayOf, fieldsWithId, oneOf, toolArguments } from '../argument-schemas.ts'
import { ENTITIES, isEntity, recordApiOf } from '../entity.ts'
import { createErrorExplainer } from '../error-explainer.ts'
import { BATCH_RESULT_SCHEMA, runBatch } from '../record-batch.ts'
import { defineTool, OVERWRITE_HINTS } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'
import { dealScopesFor } from './deal-scopes.ts'

export const updateRecords = defineTool({
  name: 'update_records',
  title: 'Update records',
  description:
    'Updates up to 25 records of one kind: {id, field: value, …}. Omitted fields stay, null clears. ' +
    'tags and lists are replaced (change_memberships adds and removes); ' +
    'custom_fields are merged by key. Each record succeeds or fails independently.',
  hints: OVERWRITE_HINTS,
  write: 'update',
  output: BATCH_RESULT_SCHEMA,
  input(scopes) {
    const entities = allowedEntities(scopes, ENTITIES, ['write'])
    return entities.length > 0
      ? toolArguments({ entity: oneOf(entities), updates: arrayOf(fieldsWithId, 25, 'updates') })
      : undefined
  },
  requiredScopes: ({ entity, updates }) =>
    isEntity(entity)
      ? [...scopesFor(entity, ['write']), ...dealScopesFor(entity, updates, (deals) => deals !== undefined)]
      : [],
  run(caller, { entity, updates }) {
    const { crm, actor } = caller
    const records = recordApiOf(crm, entity)
    const items = updates.map(({ id, ...changes }) => ({
      id,
      async work() {
        await records.update(actor, id, changes as never)
        return {}
      },
    }))
    return runBatch(caller, items, createErrorExplainer(caller, entity, 'update'))
  },
})
