import type * as v from 'valibot'
import type { Filters } from '../../engine/list-query.ts'
import { validate, validateInto } from '../../engine/validate.ts'
import type { FieldErrors } from '../../kernel/errors.ts'
import { changeable, object } from '../../kernel/object-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import {
  AGGREGATE_ENTITIES,
  AGGREGATE_OPTIONS,
  type AggregateEntity,
  type SummedField,
} from '../../schema/aggregate-options.ts'
import { activities } from '../activities/activity.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { people } from '../people/person.ts'
import { products } from '../products/product.ts'
import { tasks } from '../tasks/task.ts'
import { aggregateInput } from './report-inputs.ts'

/** The parts of a resource that an aggregate uses. */
interface AggregateResource {
  readonly scopes: { readonly read: string }
  readonly filters: Filters<never> & { readonly include: unknown }
  store(stores: WorkspaceStores): unknown
}

const AGGREGATE_RESOURCES: Readonly<Record<AggregateEntity, AggregateResource>> = {
  people,
  companies,
  deals,
  tasks,
  activities,
  products,
}

/** Fields in minor units. Sums never mix currencies. */
export const MONEY_FIELDS: readonly SummedField[] = ['amount', 'price_cts']

type AggregateFields = v.InferOutput<typeof aggregateInput>

export interface ParsedAggregateInput extends Omit<AggregateFields, 'filter'> {
  readonly filter: Readonly<Record<string, unknown>>
}

export type AnyRecord = RecordBase & Readonly<Record<string, unknown>>

export function getAggregateResource(entity: AggregateEntity) {
  const { scopes, filters: listFilters, store } = AGGREGATE_RESOURCES[entity]
  const { include: _, ...filters } = listFilters
  return {
    scopes,
    filters: filters as unknown as Filters<AnyRecord>,
    store: (stores: WorkspaceStores) => store(stores) as RecordStore<AnyRecord>,
  }
}

/** @throws CrmError `validation_error`, whose messages list the valid options */
export function parseAggregateInput(input: unknown): ParsedAggregateInput {
  const fields: Readonly<Record<string, unknown>> = Object(input)
  const entity = AGGREGATE_ENTITIES.find((name) => name === fields['entity'])
  const errors = new Map<string, string>()
  const filter = entity && fields['filter'] !== undefined ? parseFilter(entity, fields['filter'], errors) : {}
  const parsed = validate(aggregateInput, input, 'field', {
    ...(entity && findOptionErrors(entity, fields)),
    ...Object.fromEntries(errors),
  })
  return { ...parsed, filter }
}

function findOptionErrors(
  entity: AggregateEntity,
  { metric, field, group_by }: Readonly<Record<string, unknown>>,
): FieldErrors {
  const { fields, groups }: { readonly fields: readonly unknown[]; readonly groups: readonly unknown[] } =
    AGGREGATE_OPTIONS[entity]
  const fieldErrors: Record<string, string> = {}
  const choices = `one of: ${fields.join(', ')}.`
  if (metric === 'count') {
    if (field !== undefined) fieldErrors['field'] = 'Must be left out where records are counted.'
  } else if (metric !== 'sum' && metric !== 'avg') return fieldErrors
  else if (fields.length === 0)
    fieldErrors['field'] = `Nothing of ${entity} can be added up: they can only be counted.`
  else if (field === undefined) fieldErrors['field'] = `Required: ${choices}`
  else if (!fields.includes(field)) fieldErrors['field'] = `Must be ${choices}`
  if (group_by !== undefined && !groups.includes(group_by))
    fieldErrors['group_by'] = `Must be one of: ${groups.join(', ')}.`
  return fieldErrors
}

/** Validates the filter with the list filters of the entity. */
function parseFilter(
  entity: AggregateEntity,
  filter: unknown,
  errors: Map<string, string>,
): Readonly<Record<string, unknown>> {
  const { filters } = getAggregateResource(entity)
  const names = Object.keys(filters)
  const schema = object(
    changeable(
      Object.fromEntries(
        Object.entries(filters).map(([name, filter]) => [
          name,
          (filter as { schema: v.GenericSchema }).schema,
        ]),
      ),
    ),
  )
  const filterErrors = new Map<string, string>()
  const output = validateInto(schema, filter, 'parameter', filterErrors)
  for (const [path, rule] of filterErrors) {
    const [name = ''] = path.split(/[.[]/)
    if (path === 'body') continue
    errors.set(
      `filter.${path}`,
      names.includes(name) ? rule : `${rule} The filters of ${entity}: ${names.join(', ')}.`,
    )
  }
  return (output ?? {}) as Readonly<Record<string, unknown>>
}
