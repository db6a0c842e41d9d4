import type { Instant, RecordBase, WorkspaceStores } from '../ports.ts'
import { changeable, color, DEFAULT_COLOR, key, line, object, optional } from '../records/fields.ts'
import { settleKey } from '../records/key.ts'
import { defineResource } from '../records/resource.ts'
import { type Unit, viewsOf } from '../records/unit.ts'

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
  associations: null,
  foundBy: null,
  settle: (change, { stores }) => settleKey(change, change.fields.title, 'task_type', stores.task_types),
  events: () => [],
  listView: async (page) => page,
  detailView: async (page) => page,
  snapshot: null,
})

export function taskTypeViews(ids: readonly string[], { stores }: Unit): Promise<ReadonlyMap<string, TaskType>> {
  return viewsOf(stores.task_types, ids, (type) => type)
}

/** The id of the type that a key names. */
export async function taskTypeNamed(name: string, { stores }: { readonly stores: WorkspaceStores }): Promise<string | undefined> {
  const [byKey] = await stores.task_types.find([{ field: 'key', is: name.toLowerCase() }])
  return byKey?.id
}
