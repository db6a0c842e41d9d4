import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import { ASSOCIATION_COLUMNS, type AssociationFields } from './associations.ts'
import type { EmailEntry, PhoneEntry } from './contact.ts'

/**
 * A company as it is stored, and as record rules see it. The API returns `CompanyItem` and `CompanyDetail`.
 */
export interface Company extends RecordBase, AssociationFields {
  readonly updated_at: Instant
  /** Short public code such as `C-7ZK04QX`: unique in the workspace and never reused. */
  readonly entity_id: string
  readonly full_name: string
  /** At most 20, in the order of the input. Several companies may have the same address. */
  readonly emails: readonly EmailEntry[]
  /** At most 20, in the order of the input. */
  readonly phones: readonly PhoneEntry[]
  /** An http or https URL. */
  readonly website: string | null
  /** An https URL. The image is not fetched. */
  readonly avatar_url: string | null
  /** The responsible member; null for nobody. A removed member counts as nobody. */
  readonly owner_user_id: string | null
}

export const companyShape = {
  columns: {
    entity_id: 'text',
    full_name: 'text',
    emails: 'json',
    phones: 'json',
    website: 'text?',
    avatar_url: 'text?',
    owner_user_id: 'uuid?',
    ...ASSOCIATION_COLUMNS,
  },
  unique: [],
  uniqueForever: ['entity_id'],
  foreignKeys: { owner_user_id: 'members' },
} as const
