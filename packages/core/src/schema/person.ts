import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import { ASSOCIATION_COLUMNS, type AssociationFields } from './associations.ts'
import type { EmailEntry, PhoneEntry } from './contact.ts'

/** A person as it is stored, and as record rules see it. The API returns `PersonItem` and `PersonDetail`. */
export interface Person extends RecordBase, AssociationFields {
  readonly updated_at: Instant
  /** Short public code such as `P-7ZK04QX`: unique in the workspace and never reused. */
  readonly entity_id: string
  readonly full_name: string
  /** At most 20, in the order of the input. Several people may have the same address. */
  readonly emails: readonly EmailEntry[]
  /** At most 20, in the order of the input. */
  readonly phones: readonly PhoneEntry[]
  /** Job title. */
  readonly position: string | null
  /** Lead score, an integer from 0 to 100. */
  readonly score: number
  /** An https URL. The image is not fetched. */
  readonly avatar_url: string | null
  /** The company the person belongs to. It may have been deleted since. */
  readonly company_id: string | null
  /** The responsible member; null for nobody. A removed member counts as nobody. */
  readonly owner_user_id: string | null
}

export const personShape = {
  columns: {
    entity_id: 'text',
    full_name: 'text',
    emails: 'json',
    phones: 'json',
    position: 'text?',
    score: 'integer',
    avatar_url: 'text?',
    company_id: 'uuid?',
    owner_user_id: 'uuid?',
    ...ASSOCIATION_COLUMNS,
  },
  unique: [],
  uniqueForever: ['entity_id'],
  foreignKeys: { company_id: 'companies', owner_user_id: 'members' },
} as const
