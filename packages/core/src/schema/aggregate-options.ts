/** The entities that can be aggregated. */
export const AGGREGATE_ENTITIES = ['people', 'companies', 'deals', 'tasks', 'activities', 'products'] as const

/** An entity that can be aggregated: `entity` of `AggregateInput`. */
export type AggregateEntity = (typeof AGGREGATE_ENTITIES)[number]

/** Per entity: the fields that can be summed, and the options of `group_by`. */
export const AGGREGATE_OPTIONS = {
  people: { fields: ['score'], groups: ['owner', 'company_id', 'created_month'] },
  companies: { fields: [], groups: ['owner', 'created_month'] },
  deals: {
    fields: ['amount'],
    groups: [
      'stage_id',
      'pipeline_id',
      'status',
      'owner',
      'currency',
      'source',
      'person_id',
      'company_id',
      'created_month',
      'closed_month',
    ],
  },
  tasks: { fields: [], groups: ['completed', 'priority', 'type', 'owner', 'created_month', 'due_month'] },
  activities: { fields: [], groups: ['owner', 'created_month'] },
  products: { fields: ['price_cts'], groups: ['currency', 'is_active', 'billing_cycle', 'created_month'] },
} as const satisfies Record<
  AggregateEntity,
  { readonly fields: readonly string[]; readonly groups: readonly string[] }
>

/** A field that can be summed: `field` of `AggregateInput`. `AGGREGATE_OPTIONS` says which entity has it. */
export type SummedField = (typeof AGGREGATE_OPTIONS)[AggregateEntity]['fields'][number]
/** A grouping: `group_by` of `AggregateInput`. `AGGREGATE_OPTIONS` says which entity has it. */
export type GroupName = (typeof AGGREGATE_OPTIONS)[AggregateEntity]['groups'][number]

const allOptions = AGGREGATE_ENTITIES.map((entity) => AGGREGATE_OPTIONS[entity])

/** The fields that can be summed, of all entities, without duplicates. */
export const SUMMABLE_FIELDS: readonly SummedField[] = [
  ...new Set(allOptions.flatMap(({ fields }) => [...fields])),
]
export const GROUP_NAMES: readonly GroupName[] = [...new Set(allOptions.flatMap(({ groups }) => [...groups]))]
