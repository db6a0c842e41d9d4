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

const id: Field = { ...plainField('id', 'uuid'), special: 'uuid' }
const updatedAt: Field = { ...plainField('updated_at', 'timestamp'), special: 'date-updated' }
const emails: Field = { ...plainField('emails', 'json'), special: 'cast-json' }
const phones: Field = { ...plainField('phones', 'json'), special: 'cast-json' }
const owner = referenceField('owner', 'members', 'owner_user_id')

/** Each collection follows those it refers to. */
export const COLLECTIONS: readonly Collection[] = [
  { name: 'members', from: 'users', fields: [id, plainField('name'), plainField('email')] },
  {
    name: 'task_types',
    from: 'task_types',
    fields: [id, plainField('title'), plainField('color'), plainField('key'), createdAt(), updatedAt],
  },
  { name: 'pipelines', from: 'pipelines', fields: [id, plainField('name')] },
  {
    name: 'stages',
    from: 'stages',
    fields: [id, plainField('name'), plainField('type'), referenceField('pipeline', 'pipelines')],
  },
  {
    name: 'companies',
    from: 'companies',
    fields: [
      id,
      plainField('entity_id'),
      plainField('full_name'),
      emails,
      phones,
      plainField('website'),
      owner,
      createdAt(),
      updatedAt,
    ],
  },
  {
    name: 'people',
    from: 'people',
    fields: [
      ...[
        id,
        plainField('entity_id'),
        plainField('full_name'),
        emails,
        phones,
        plainField('position'),
        plainField('score', 'integer'),
        plainField('avatar_url'),
      ],
      // The compared list is sorted by `created_at`.
      ...[referenceField('company', 'companies'), owner, { ...createdAt(), isIndexed: true }, updatedAt],
    ],
  },
  {
    name: 'deals',
    from: 'deals',
    fields: [
      ...[
        id,
        plainField('entity_id'),
        plainField('name'),
        plainField('amount', 'integer'),
        plainField('currency'),
        plainField('source'),
      ],
      ...[
        plainField('forecast_date', 'timestamp'),
        referenceField('pipeline', 'pipelines'),
        referenceField('stage', 'stages'),
      ],
      ...[
        referenceField('person', 'people'),
        referenceField('company', 'companies'),
        owner,
        createdAt(),
        updatedAt,
      ],
    ],
  },
  {
    name: 'tasks',
    from: 'tasks',
    fields: [
      ...[
        id,
        plainField('title'),
        plainField('notes', 'text'),
        plainField('due_date', 'timestamp'),
        { ...plainField('priority'), preset: 'medium' },
      ],
      { ...plainField('completed', 'boolean'), special: 'cast-boolean', preset: false },
      ...[
        referenceField('type', 'task_types'),
        referenceField('person', 'people'),
        referenceField('company', 'companies'),
        referenceField('deal', 'deals'),
      ],
      ...[owner, createdAt(), updatedAt],
    ],
  },
]

function plainField(name: string, type: Field['type'] = 'string'): Field {
  return { name, from: name, type }
}

function createdAt(): Field {
  return { ...plainField('created_at', 'timestamp'), special: 'date-created' }
}

function referenceField(name: string, references: string, from = `${name}_id`): Field {
  return { name, from, type: 'uuid', special: 'm2o', references }
}
