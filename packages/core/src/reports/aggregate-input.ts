import type * as v from 'valibot'
import { activities } from '../activities/activity.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import type { FieldErrors } from '../errors.ts'
import { people } from '../people/person.ts'
import type { RecordBase, RecordStore, WorkspaceStores } from '../ports.ts'
import { products } from '../products/product.ts'
import { changeable, object } from '../records/fields.ts'
import { judged, validate } from '../records/input.ts'
import type { Filters } from '../records/query.ts'
import { tasks } from '../tasks/task.ts'
import { aggregateInput } from './inputs.ts'
import { AGGREGATED, type Aggregated, OPTIONS, type SummedField } from './options.ts'

/** What is known of a kind here. */
interface Kind {
  readonly scopes: { readonly read: string }
  readonly filters: Filters<never>
  store(stores: WorkspaceStores): unknown
}

const KINDS: Readonly<Record<Aggregated, Kind>> = { people, companies, deals, tasks, activities, products }

/** Minor units: of different currencies they are never added up. */
export const MONEY: readonly SummedField[] = ['amount', 'price_cts']

type Asked = v.InferOutput<typeof aggregateInput>

export interface AskedAggregate extends Omit<Asked, 'filter'> {
  readonly filter: Readonly<Record<string, unknown>>
}

export type AnyRecord = RecordBase & Readonly<Record<string, unknown>>

export function kindOf(entity: Aggregated) {
  const { scopes, filters, store } = KINDS[entity]
  return {
    scopes,
    filters: filters as unknown as Filters<AnyRecord>,
    store: (stores: WorkspaceStores) => store(stores) as RecordStore<AnyRecord>,
  }
}

/** @throws CrmError `validation_error`, which names what there is to choose from */
export function askedOf(input: unknown): AskedAggregate {
  const sent: Readonly<Record<string, unknown>> = Object(input)
  const entity = AGGREGATED.find((each) => each === sent['entity'])
  const errors = new Map<string, string>()
  const filter = entity && sent['filter'] !== undefined ? filterOf(entity, sent['filter'], errors) : {}
  const asked = validate(aggregateInput, input, 'field', { ...(entity && optionFaults(entity, sent)), ...Object.fromEntries(errors) })
  return { ...asked, filter }
}

function optionFaults(entity: Aggregated, { metric, field, group_by }: Readonly<Record<string, unknown>>): FieldErrors {
  const { fields, groups }: { readonly fields: readonly unknown[]; readonly groups: readonly unknown[] } = OPTIONS[entity]
  const faults: Record<string, string> = {}
  const which = `one of: ${fields.join(', ')}.`
  if (metric === 'count') {
    if (field !== undefined) faults['field'] = 'Must be left out where records are counted.'
  } else if (metric !== 'sum' && metric !== 'avg') return faults
  else if (fields.length === 0) faults['field'] = `Nothing of ${entity} can be added up: they can only be counted.`
  else if (field === undefined) faults['field'] = `Required: ${which}`
  else if (!fields.includes(field)) faults['field'] = `Must be ${which}`
  if (group_by !== undefined && !groups.includes(group_by)) faults['group_by'] = `Must be one of: ${groups.join(', ')}.`
  return faults
}

/** What narrows a list of the kind narrows what is counted. */
function filterOf(entity: Aggregated, sent: unknown, errors: Map<string, string>): Readonly<Record<string, unknown>> {
  const { filters } = KINDS[entity]
  const names = Object.keys(filters)
  const schema = object(
    changeable(Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, (filter as { schema: v.GenericSchema }).schema]))),
  )
  const faults = new Map<string, string>()
  const output = judged(schema, sent, 'parameter', faults)
  for (const [path, rule] of faults) {
    const [name = ''] = path.split(/[.[]/)
    if (path === 'body') continue
    errors.set(`filter.${path}`, names.includes(name) ? rule : `${rule} The filters of ${entity}: ${names.join(', ')}.`)
  }
  return (output ?? {}) as Readonly<Record<string, unknown>>
}
