import { eachOf, RESULTS } from '../each.ts'
import { args, oneOf, several, text } from '../inputs.ts'
import { ENTITIES, isEntity, kindOf } from '../kinds.ts'
import { openTo, scopesFor } from '../scopes.ts'
import { defineTool, READS } from '../tool.ts'

export const getRecords = defineTool({
  name: 'get_records',
  title: 'Get records',
  description: 'Records by id, each once and whole: with tags, lists and custom fields. Tags may be named by key.',
  hints: READS,
  output: RESULTS,
  input(scopes) {
    const open = openTo(scopes, ENTITIES, ['read'])
    return open.length > 0 ? args({ entity: oneOf(open), ids: several(text(), 50, 'ids') }) : undefined
  },
  needs: ({ entity }) => (isEntity(entity) ? scopesFor(entity, ['read']) : []),
  run(caller, { entity, ids }) {
    const { crm, actor } = caller
    const records = kindOf(entity).api(crm)
    const parts = [...new Set(ids)].map((id) => ({ id, work: async () => ({ record: await records.get(actor, id) }) }))
    return eachOf(caller, parts)
  },
})
