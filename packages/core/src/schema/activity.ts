import type { RecordBase } from '../kernel/record.ts'

/**
 * A note about a person, company or deal: at most one of the three is set. `updated_at` is null until the
 * first update.
 */
export interface Activity extends RecordBase {
  readonly person_id: string | null
  readonly company_id: string | null
  readonly deal_id: string | null
  /** Sanitized: formatting only, without scripts and styles. */
  readonly content_html: string
  readonly attachments_count: number
  /** The responsible member; null for nobody. A removed member counts as nobody. */
  readonly owner_user_id: string | null
}

export const activityShape = {
  columns: {
    person_id: 'uuid?',
    company_id: 'uuid?',
    deal_id: 'uuid?',
    content_html: 'text',
    attachments_count: 'integer',
    owner_user_id: 'uuid?',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: { person_id: 'people', company_id: 'companies', deal_id: 'deals', owner_user_id: 'members' },
} as const
