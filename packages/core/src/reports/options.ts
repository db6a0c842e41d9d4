/** The kinds of records that can be counted. */
export const AGGREGATED = ['people', 'companies', 'deals', 'tasks', 'activities', 'products'] as const

export type Aggregated = (typeof AGGREGATED)[number]

/** Of each kind, the fields that can be added up, and what its records can be grouped by. */
export const OPTIONS = {
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
} as const satisfies Record<Aggregated, { readonly fields: readonly string[]; readonly groups: readonly string[] }>

export type SummedField = (typeof OPTIONS)[Aggregated]['fields'][number]
export type GroupName = (typeof OPTIONS)[Aggregated]['groups'][number]

const all = AGGREGATED.map((entity) => OPTIONS[entity])

/** Those of any kind, each once. */
export const FIELDS: readonly SummedField[] = [...new Set(all.flatMap(({ fields }) => [...fields]))]
export const GROUPINGS: readonly GroupName[] = [...new Set(all.flatMap(({ groups }) => [...groups]))]
