import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import { ASSOCIATION_COLUMNS, type AssociationFields } from './associations.ts'
import type { EmailEntry, PhoneEntry } from './contact.ts'

export interface Person extends RecordBase, AssociationFields {
  readonly updated_at: Instant
  readonly entity_id: string
  readonly full_name: string
  readonly emails: readonly EmailEntry[]
  readonly phones: readonly PhoneEntry[]
  readonly position: string | null
  readonly score: number
  readonly avatar_url: string | null
  readonly company_id: string | null
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
