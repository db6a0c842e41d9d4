/**
 * Tables that are listed without conditions; triggers keep the number of their live rows. A new entry needs a
 * migration that creates its triggers and counts the existing rows.
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
