import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import { ASSOCIATION_COLUMNS, type AssociationFields } from './associations.ts'
import type { Currency } from './currency.ts'

export interface Deal extends RecordBase, AssociationFields {
  readonly updated_at: Instant
  readonly entity_id: string
  readonly name: string
  /** Minor units of the currency. */
  readonly amount: number
  readonly currency: Currency
  readonly pipeline_id: string
  readonly stage_id: string
  readonly source: string | null
  readonly forecast_date: Instant | null
  /** When the deal entered its current win or lost stage. */
  readonly closed_at: Instant | null
  readonly person_id: string | null
  readonly company_id: string | null
  readonly owner_user_id: string | null
}

export const dealShape = {
  columns: {
    entity_id: 'text',
    name: 'text',
    amount: 'integer',
    currency: 'text',
    pipeline_id: 'uuid',
    stage_id: 'uuid',
    source: 'text?',
    forecast_date: 'instant?',
    closed_at: 'instant?',
    person_id: 'uuid?',
    company_id: 'uuid?',
    owner_user_id: 'uuid?',
    ...ASSOCIATION_COLUMNS,
  },
  unique: [],
  uniqueForever: ['entity_id'],
  foreignKeys: {
    pipeline_id: 'pipelines',
    stage_id: 'stages',
    person_id: 'people',
    company_id: 'companies',
    owner_user_id: 'members',
  },
} as const
