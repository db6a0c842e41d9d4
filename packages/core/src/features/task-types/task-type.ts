import { deriveKey } from '../../engine/derive-key.ts'
import { defineResource } from '../../engine/resource.ts'
import { loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { color, DEFAULT_COLOR, key } from '../../kernel/field-schemas.ts'
import { changeable, object, optional } from '../../kernel/object-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { TaskType } from '../../schema/task-type.ts'

/** Task types of a new workspace. */
export const DEFAULT_TASK_TYPES = ['Call', 'Email', 'Meeting', 'Task'] as const

const title = singleLineText(1, 60)

/**
 * The definition of task types: the schemas of `TaskTypeInput` (`create`) and `TaskTypeChanges` (`update`),
 * and the filters, orders and scopes.
 */
export const taskTypes = defineResource<TaskType>()({
  label: 'Task type',
  scopes: { read: 'tasks:read', write: 'tasks:write' },
  collection: 'task_types',
  orderBy: ['created_at', 'title'],
  filters: {},
  create: object({ title, ...optional({ color, key }) }),
  update: object(changeable({ title, color, key })),
  references: {},
  codePrefix: null,
  defaults: { title: '', color: DEFAULT_COLOR, key: '' },
  searchTerms: null,
  deriveFields: (change, { stores }) =>
    deriveKey(change, change.fields.title, 'task_type', stores.task_types),
  events: () => [],
  listView: async (page) => page,
  detailView: async (page) => page,
  snapshot: null,
})

export function loadTaskTypes(
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, TaskType>> {
  return loadViews(stores.task_types, ids, (type) => type)
}

/** Returns the id of the task type with this key. */
export async function findTaskTypeId(
  name: string,
  { stores }: { readonly stores: WorkspaceStores },
): Promise<string | undefined> {
  const [byKey] = await stores.task_types.find([{ field: 'key', is: name.toLowerCase() }])
  return byKey?.id
}
