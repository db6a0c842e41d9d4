/**
 * The tables that are listed whole, and whose live rows the database therefore counts as they come and go.
 * One that is added here needs a migration that makes its triggers and counts what is there by then.
 */
export const COUNTED_TABLES = [
  'companies',
  'custom_fields',
  'deals',
  'lists',
  'people',
  'pipelines',
  'products',
  'tags',
  'task_types',
  'tasks',
] as const
