/** The service's tables as Directus's collections: as much of each as the compared answers show, and the same links. */
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
  /** What Directus is to do with it by itself. */
  readonly special?: string
  readonly preset?: string | boolean
  /** The collection of which it holds an id. */
  readonly to?: string
  readonly isIndexed?: boolean
}

const id: Field = { ...plain('id', 'uuid'), special: 'uuid' }
const updatedAt: Field = { ...plain('updated_at', 'timestamp'), special: 'date-updated' }
const emails: Field = { ...plain('emails', 'json'), special: 'cast-json' }
const phones: Field = { ...plain('phones', 'json'), special: 'cast-json' }
const owner = link('owner', 'members', 'owner_user_id')

/** Each after those it links to. */
export const COLLECTIONS: readonly Collection[] = [
  { name: 'members', from: 'users', fields: [id, plain('name'), plain('email')] },
  {
    name: 'task_types',
    from: 'task_types',
    fields: [id, plain('title'), plain('color'), plain('key'), createdAt(), updatedAt],
  },
  { name: 'pipelines', from: 'pipelines', fields: [id, plain('name')] },
  {
    name: 'stages',
    from: 'stages',
    fields: [id, plain('name'), plain('type'), link('pipeline', 'pipelines')],
  },
  {
    name: 'companies',
    from: 'companies',
    fields: [
      id,
      plain('entity_id'),
      plain('full_name'),
      emails,
      phones,
      plain('website'),
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
        plain('entity_id'),
        plain('full_name'),
        emails,
        phones,
        plain('position'),
        plain('score', 'integer'),
        plain('avatar_url'),
      ],
      // The list is sorted by it.
      ...[link('company', 'companies'), owner, { ...createdAt(), isIndexed: true }, updatedAt],
    ],
  },
  {
    name: 'deals',
    from: 'deals',
    fields: [
      ...[
        id,
        plain('entity_id'),
        plain('name'),
        plain('amount', 'integer'),
        plain('currency'),
        plain('source'),
      ],
      ...[plain('forecast_date', 'timestamp'), link('pipeline', 'pipelines'), link('stage', 'stages')],
      ...[link('person', 'people'), link('company', 'companies'), owner, createdAt(), updatedAt],
    ],
  },
  {
    name: 'tasks',
    from: 'tasks',
    fields: [
      ...[
        id,
        plain('title'),
        plain('notes', 'text'),
        plain('due_date', 'timestamp'),
        { ...plain('priority'), preset: 'medium' },
      ],
      { ...plain('completed', 'boolean'), special: 'cast-boolean', preset: false },
      ...[
        link('type', 'task_types'),
        link('person', 'people'),
        link('company', 'companies'),
        link('deal', 'deals'),
      ],
      ...[owner, createdAt(), updatedAt],
    ],
  },
]

function plain(name: string, type: Field['type'] = 'string'): Field {
  return { name, from: name, type }
}

function createdAt(): Field {
  return { ...plain('created_at', 'timestamp'), special: 'date-created' }
}

function link(name: string, to: string, from = `${name}_id`): Field {
  return { name, from, type: 'uuid', special: 'm2o', to }
}
