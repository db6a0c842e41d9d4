/**
 * Kinds of record that nearly every call reads and few change: what was read of them is remembered as long as
 * nobody changed any. One that is added needs a migration that makes its triggers: without them its version
 * never changes.
 */
export const SETTINGS: readonly string[] = [
  'members',
  'pipelines',
  'stages',
  'task_types',
  'custom_fields',
  'webhooks',
]

/**
 * Of those that all workspaces share. Nobody asks for one that is not there, so that a new one makes nothing
 * remembered wrong.
 */
export const SHARED_SETTINGS: readonly string[] = ['users', 'workspaces']

/** Where the version of shared settings stands, among the ids of workspaces. */
export const SHARED_SCOPE = '00000000-0000-0000-0000-000000000000'
