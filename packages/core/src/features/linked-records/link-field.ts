/** The field of tasks, activities and deals with the id of a record. */
export type LinkField = 'person_id' | 'company_id' | 'deal_id'

/** The scopes that fields of linked records require besides that of the kind. */
export const LINKED_SCOPES = {
  next_task: 'tasks:read',
  last_activity_at: 'activities:read',
  open_amounts: 'deals:read',
} as const
