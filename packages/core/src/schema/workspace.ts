import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Visibility } from '../kernel/visibility.ts'
import type { Currency } from './currency.ts'
import type { Sender } from './sender.ts'

/** A workspace: the tenant that owns records, and that every actor belongs to. */
export interface Workspace extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  /** Unique name in URLs, in lower case. */
  readonly slug: string
  /** ISO 3166-1, two letters. Null where it is not known. */
  readonly country: string | null
  /** BCP 47. Formats the amounts of deals. */
  readonly locale: string
  /** The default of deals. */
  readonly currency: Currency
  /** IANA name. Instants are in UTC regardless of it. */
  readonly time_zone: string
  /** Who sees the records that another member owns. */
  readonly visibility: Visibility
  /** Who makes its offers. Null until it is set. */
  readonly sender: Sender | null
}

export const workspaceShape = {
  columns: {
    name: 'text',
    slug: 'text',
    country: 'text?',
    locale: 'text',
    currency: 'text',
    time_zone: 'text',
    visibility: 'json',
    sender: 'json?',
  },
  unique: ['slug'],
  uniqueForever: [],
  foreignKeys: {},
} as const
