import { deriveKey } from '../../engine/derive-key.ts'
import { defineResource } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { DEFAULT_COLOR } from '../../kernel/field-schemas.ts'
import { addSeconds, type Instant } from '../../kernel/instant.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'

const DEFAULT_TITLES = ['Call', 'Email', 'Meeting', 'Task']

export const taskTypes = defineResource('task_types', {
  deriveFields: (change, { stores }) =>
    deriveKey(change, change.fields.title, 'task_type', stores.task_types),
})

/**
 * Inserts the task types of a new workspace. They are a millisecond apart, so that lists show them in the same order in
 * every workspace.
 */
export function insertDefaultTaskTypes(
  { task_types }: WorkspaceStores,
  newId: () => string,
  at: Instant,
): Promise<void> {
  const types = DEFAULT_TITLES.map((title, position) => {
    const created_at = addSeconds(at, position / 1000)
    const key = title.toLowerCase()
    return { id: newId(), title, color: DEFAULT_COLOR, key, created_at, updated_at: created_at }
  })
  return task_types.insertMany(types)
}

export async function findTaskTypeKeys({ stores }: WorkspaceTransaction): Promise<ReadonlySet<string>> {
  return new Set((await stores.task_types.find([])).map(({ key }) => key))
}
