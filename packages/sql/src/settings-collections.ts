/**
 * Collections that nearly every call reads and few calls change: reads are cached until one of their records
 * changes. A new entry needs a migration that creates its triggers, without which its version would never
 * change.
 */
export const SETTINGS: readonly string[] = [
  'members',
  'pipelines',
  'stages',
  'task_types',
  'custom_fields',
  'webhooks',
  'teams',
  'views',
  'lost_reasons',
]

/**
 * Settings shared by all workspaces. They are only read by ids that exist, so an insert invalidates nothing.
 */
export const SHARED_SETTINGS: readonly string[] = ['users', 'workspaces']

/** The key under which the version of the shared settings is stored, among workspace ids. */
export const SHARED_SCOPE = '00000000-0000-0000-0000-000000000000'
