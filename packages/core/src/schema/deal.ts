import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import { ASSOCIATION_COLUMNS, type AssociationFields } from './associations.ts'
import type { Currency } from './currency.ts'

/** A deal as it is stored, and as record rules see it. The API returns `DealItem` and `DealDetail`. */
export interface Deal extends RecordBase, AssociationFields {
  readonly updated_at: Instant
  /** Short public code such as `D-7ZK04QX`: unique in the workspace and never reused. */
  readonly entity_id: string
  readonly name: string
  /** Minor units of the currency, such as cents: an integer from 0 to 10^15. */
  readonly amount: number
  readonly currency: Currency
  /** The pipeline of the stage. */
  readonly pipeline_id: string
  readonly stage_id: string
  /** Where the deal came from, as free text. */
  readonly source: string | null
  /** When the deal is expected to close: `wholeDay` of its day in the workspace's time zone, or a time of day. */
  readonly forecast_date: Instant | null
  /** When the deal entered its current win or lost stage; null in an open stage. */
  readonly closed_at: Instant | null
  /** The contact. It may have been deleted since. */
  readonly person_id: string | null
  /** The customer. It may have been deleted since. */
  readonly company_id: string | null
  /** The responsible member; null for nobody. A removed member counts as nobody. */
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
