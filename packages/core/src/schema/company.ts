import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import { ASSOCIATION_COLUMNS, type AssociationFields } from './associations.ts'
import type { EmailEntry, PhoneEntry } from './contact.ts'

export interface Company extends RecordBase, AssociationFields {
  readonly updated_at: Instant
  readonly entity_id: string
  readonly full_name: string
  readonly emails: readonly EmailEntry[]
  readonly phones: readonly PhoneEntry[]
  readonly website: string | null
  readonly avatar_url: string | null
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
