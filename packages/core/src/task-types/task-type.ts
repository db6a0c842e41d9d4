import type { Instant, RecordBase, WorkspaceStores } from '../ports.ts'
import { randomCharacters } from '../records/entity-code.ts'
import { changeable, color, key, line, object, optional } from '../records/fields.ts'
import { type Change, defineResource } from '../records/resource.ts'
import { type Unit, viewsOf } from '../records/unit.ts'
import { freeKey, keyFrom } from './key-from.ts'

export interface TaskType extends RecordBase {
  readonly updated_at: Instant
  readonly title: string
  readonly color: string
  readonly key: string
}

export const taskTypeShape = {
  columns: { title: 'text', color: 'text', key: 'text' },
  unique: ['key'],
  neverReused: [],
  refersTo: {},
} as const

const KEY_LENGTH = 35
export const DEFAULT_COLOR = '#6b7280'

/** What a new workspace starts with. */
export const FIRST_TASK_TYPES = ['Call', 'Email', 'Meeting', 'Task'] as const

const title = line(1, 60)

export const taskTypes = defineResource<TaskType>()({
  label: 'Task type',
  scopes: { read: 'tasks:read', write: 'tasks:write' },
  store: (stores) => stores.task_types,
  orderBy: ['created_at', 'title'],
  filters: {},
  create: object({ title, ...optional({ color, key }) }),
  update: object(changeable({ title, color, key })),
  references: {},
  codeLetter: null,
  blank: { title: '', color: DEFAULT_COLOR, key: '' },
  settle: withKey,
  events: () => [],
  listView: async (page) => page,
  detailView: async (page) => page,
})

export function taskTypeViews(ids: readonly string[], { stores }: Unit): Promise<ReadonlyMap<string, TaskType>> {
  return viewsOf(stores.task_types, ids, (type) => type)
}

/** The id of the type that an id or a key names. */
export async function taskTypeNamed(name: string, { stores }: { readonly stores: WorkspaceStores }): Promise<string | undefined> {
  const [byKey] = await stores.task_types.find([{ field: 'key', is: name.toLowerCase() }])
  return byKey?.id
}

async function withKey({ before, fields, random }: Change<TaskType>, { stores }: Unit): Promise<Partial<TaskType>> {
  if (before || fields.key !== undefined || fields.title === undefined) return fields
  const base = keyFrom(fields.title, KEY_LENGTH) || `task_type_${randomCharacters(6, random).toLowerCase()}`
  const types = await stores.task_types.find([])
  return { ...fields, key: freeKey(base, new Set(types.map((type) => type.key)), KEY_LENGTH) }
}
