import { deriveKey } from '../../engine/derive-key.ts'
import { defineResource } from '../../engine/resource.ts'

/** Task types of a new workspace. */
export const DEFAULT_TASK_TYPES = ['Call', 'Email', 'Meeting', 'Task'] as const

export const taskTypes = defineResource('task_types', {
  deriveFields: (change, { stores }) =>
    deriveKey(change, change.fields.title, 'task_type', stores.task_types),
})
