import { eachOf, RESULTS } from '../each.ts'
import { args, fieldsWithId, oneOf, several } from '../inputs.ts'
import { ENTITIES, isEntity, kindOf } from '../kinds.ts'
import { explainer } from '../options.ts'
import { openTo, scopesFor } from '../scopes.ts'
import { defineTool, OVERWRITES } from '../tool.ts'
import { movesDeals } from './moves-deals.ts'

export const updateRecords = defineTool({
  name: 'update_records',
  title: 'Update records',
  description:
    'Changes up to 25 records of one kind: {id, field: value, …}. Fields left out stay, null clears. tags and lists replace those there are (change_memberships adds and removes); custom_fields are merged by key. Each is changed or refused by itself.',
  hints: OVERWRITES,
  output: RESULTS,
  input(scopes) {
    const open = openTo(scopes, ENTITIES, ['write'])
    return open.length > 0 ? args({ entity: oneOf(open), updates: several(fieldsWithId, 25, 'updates') }) : undefined
  },
  needs: ({ entity, updates }) =>
    isEntity(entity) ? [...scopesFor(entity, ['write']), ...movesDeals(entity, updates, (deals) => deals !== undefined)] : [],
  run(caller, { entity, updates }) {
    const { crm, actor } = caller
    const records = kindOf(entity).api(crm)
    const parts = updates.map(({ id, ...changes }) => ({
      id,
      async work() {
        await records.update(actor, id, changes as never)
        return {}
      },
    }))
    return eachOf(caller, parts, explainer(caller, entity, 'update'))
  },
})
