/**
 * A table of the service as a collection of Directus: the fields that the compared responses contain, and
 * their relations.
 */
export interface Collection {
  readonly name: string
  /** The service's table. */
  readonly from: string
  readonly fields: readonly Field[]
}

export interface Field {
  readonly name: string
  /** The service's column. */
  readonly from: string
  readonly type: 'uuid' | 'string' | 'text' | 'integer' | 'boolean' | 'json' | 'timestamp'
  /** How Directus sets or converts the field by itself. */
  readonly special?: string
  readonly preset?: string | boolean
  /** The collection that the field refers to. */
  readonly references?: string
  readonly isIndexed?: boolean
}

/** Fields of the same name are the same in every collection. Those that are not listed are strings. */
const FIELDS: Readonly<Record<string, Omit<Field, 'name' | 'from'> & { readonly from?: string }>> = {
  id: { type: 'uuid', special: 'uuid' },
  created_at: { type: 'timestamp', special: 'date-created' },
  updated_at: { type: 'timestamp', special: 'date-updated' },
  due_date: { type: 'timestamp' },
  forecast_date: { type: 'timestamp' },
  emails: { type: 'json', special: 'cast-json' },
  phones: { type: 'json', special: 'cast-json' },
  notes: { type: 'text' },
  score: { type: 'integer' },
  amount: { type: 'integer' },
  priority: { type: 'string', preset: 'medium' },
  completed: { type: 'boolean', special: 'cast-boolean', preset: false },
  owner: { ...referenceTo('members'), from: 'owner_user_id' },
  type: { ...referenceTo('task_types'), from: 'type_id' },
  pipeline: { ...referenceTo('pipelines'), from: 'pipeline_id' },
  stage: { ...referenceTo('stages'), from: 'stage_id' },
  company: { ...referenceTo('companies'), from: 'company_id' },
  person: { ...referenceTo('people'), from: 'person_id' },
  deal: { ...referenceTo('deals'), from: 'deal_id' },
}
const CONTACT = 'entity_id full_name emails phones'

/** Each collection follows those it refers to. */
export const COLLECTIONS: readonly Collection[] = [
  { ...createCollection('members', 'id name email'), from: 'users' },
  createCollection('task_types', 'id title color key created_at updated_at'),
  createCollection('pipelines', 'id name'),
  createCollection('stages', 'id name stage_type pipeline'),
  createCollection('companies', `id ${CONTACT} website owner created_at updated_at`),
  createCollection('people', `id ${CONTACT} position score avatar_url company owner created_at updated_at`),
  createCollection(
    'deals',
    'id entity_id name amount currency source forecast_date pipeline stage person company owner created_at updated_at',
  ),
  createCollection(
    'tasks',
    'id title notes due_date priority completed type person company deal owner created_at updated_at',
  ),
]

function createCollection(name: string, fieldNames: string): Collection {
  const fields = fieldNames.split(' ').map((field): Field => {
    // The type of a stage is a string, and that of a task a reference.
    if (field === 'stage_type') return { name: 'type', from: 'type', type: 'string' }
    // The compared list is sorted by `created_at`.
    const isIndexed = name === 'people' && field === 'created_at'
    return { name: field, from: field, type: 'string', ...FIELDS[field], isIndexed }
  })
  return { name, from: name, fields }
}

function referenceTo(references: string) {
  return { type: 'uuid', special: 'm2o', references } as const
}
