import { eachOf, RESULTS } from '../each.ts'
import { args, oneOf, several, text } from '../inputs.ts'
import { ENTITIES, isEntity, kindOf } from '../kinds.ts'
import { openTo, scopesFor } from '../scopes.ts'
import { defineTool, OVERWRITES } from '../tool.ts'

export const deleteRecords = defineTool({
  name: 'delete_records',
  title: 'Delete records',
  description: 'Deletes up to 25 records of one kind. There is no way back. Each is deleted or refused by itself.',
  hints: OVERWRITES,
  output: RESULTS,
  input(scopes) {
    const open = openTo(scopes, ENTITIES, ['write'])
    return open.length > 0 ? args({ entity: oneOf(open), ids: several(text(), 25, 'ids') }) : undefined
  },
  needs: ({ entity }) => (isEntity(entity) ? scopesFor(entity, ['write']) : []),
  run(caller, { entity, ids }) {
    const { crm, actor } = caller
    const records = kindOf(entity).api(crm)
    const parts = ids.map((id) => ({
      id,
      async work() {
        await records.remove(actor, id)
        return {}
      },
    }))
    return eachOf(caller, parts)
  },
})
