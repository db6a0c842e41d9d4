import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Currency } from './currency.ts'

export interface Workspace extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  /** Lower case. */
  readonly slug: string
  /** BCP 47. */
  readonly locale: string
  readonly currency: Currency
  /** IANA. */
  readonly time_zone: string
}

export const workspaceShape = {
  columns: { name: 'text', slug: 'text', locale: 'text', currency: 'text', time_zone: 'text' },
  unique: ['slug'],
  uniqueForever: [],
  foreignKeys: {},
} as const
