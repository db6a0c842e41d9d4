import { type CrmError, invalid } from '@sales-crm/core'
import * as v from 'valibot'
import { eachOf, RESULTS } from '../each.ts'
import { args, fields, oneOf, several, text } from '../inputs.ts'
import { type AnyRecords, ENTITIES, type Entity, isEntity, kindOf } from '../kinds.ts'
import { explainer } from '../options.ts'
import { openTo, scopesFor } from '../scopes.ts'
import { renamed } from '../told.ts'
import { ADDS, type Arguments, defineTool } from '../tool.ts'
import { movesDeals } from './moves-deals.ts'

/**
 * With room for what is put around it: each record is made once by itself, and one program serves many users, whose models choose
 * keys alike.
 */
const key = v.pipe(
  text('The same call sent again with the same key makes nothing twice, for 24 hours'),
  v.regex(/^[ -~]{1,200}$/, 'Must be 1 to 200 printable ASCII characters.'),
)

export const createRecords = defineTool({
  name: 'create_records',
  title: 'Create records',
  description:
    'Creates up to 25 records of one kind. describe_schema says which fields they take. Each is made or refused by itself: see results, in the order of records.',
  hints: ADDS,
  output: RESULTS,
  input(scopes) {
    const open = openTo(scopes, ENTITIES, ['write'])
    if (open.length === 0) return undefined
    return args({ entity: oneOf(open), records: several(fields(), 25, 'records'), idempotency_key: v.optional(key) })
  },
  needs: ({ entity, records }) =>
    isEntity(entity) ? [...scopesFor(entity, ['write']), ...movesDeals(entity, records, (deals) => deals != null)] : [],
  run(caller, { entity, records, idempotency_key }) {
    const { crm, actor } = caller
    const api = kindOf(entity).api(crm)
    const once = idempotency_key === undefined ? undefined : createOnceOf(api, entity)
    const made = (record: Arguments) => api.create(actor, record as never) as Promise<{ readonly id: string }>
    const parts = records.map((record, index) => ({
      async work() {
        if (!once) return { id: (await made(record)).id }
        const { answer, replayed } = await once(actor, `${actor.userId} ${idempotency_key} ${index}`, record as never)
        return { id: answer.id, ...(replayed && { replayed }) }
      },
    }))
    const explain = explainer(caller, entity, 'create')
    return eachOf(caller, parts, (error) => explain(underOurName(error)))
  },
})

type CreateOnce = NonNullable<AnyRecords['createOnce']>

/** @throws CrmError `validation_error` for a kind that cannot be made once */
function createOnceOf({ createOnce }: AnyRecords, entity: Entity): CreateOnce {
  if (!createOnce) throw invalid({ idempotency_key: `Must be left out for ${entity.replace('_', ' ')}.` })
  return createOnce
}

function underOurName(error: CrmError): CrmError {
  return renamed(error, (field) => (field === 'Idempotency-Key' ? 'idempotency_key' : field))
}
