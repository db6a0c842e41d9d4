import type { Quota } from '../kernel/workspace-size.ts'
import type { Clock, NewId, Random } from './clock.ts'
import type { Passwords, Secrets, Tokens } from './crypto.ts'
import type { Files } from './files.ts'
import type { PrintOffer } from './offer-printer.ts'
import type { FetchDocument, ParseOutboundUrl } from './outbound.ts'
import type { ParsePhone } from './parse-phone.ts'
import type { SanitizeHtml } from './sanitize-html.ts'
import type { Storage } from './storage.ts'
import type { Tables } from './tables.ts'

export type { CancelSignal } from '../kernel/actor.ts'
export { CrmError, conflict } from '../kernel/errors.ts'
export { foldText } from '../kernel/fold-text.ts'
export type { Instant } from '../kernel/instant.ts'
export { RetryLaterError } from '../kernel/limit-errors.ts'
export { listeners } from '../kernel/listeners.ts'
export { SHALLOW_PAGE_LIMIT } from '../kernel/paging.ts'
export { type RateLimit, type RateLimitStatus, toRateLimitStatus } from '../kernel/rate-limit.ts'
export type { RecordBase } from '../kernel/record.ts'
export type {
  AggregateQuery,
  AggregateRow,
  Comparison,
  Condition,
  DurationQuery,
  EntryCondition,
  FieldCondition,
  GroupBy,
  GroupListQuery,
  GroupSection,
  GroupSum,
  ListQuery,
  MemberCondition,
  NamedCondition,
  NamedSortKey,
  NotExistsCondition,
  Page,
  RecordGroup,
  RelatedCondition,
  RelatedSortKey,
  ScannedRecord,
  ScanQuery,
  SortKey,
} from '../kernel/record-queries.ts'
export { MAX_BOUNDARIES, MAX_CONDITIONS } from '../kernel/record-queries.ts'
export type { LockOptions, RecordStore } from '../kernel/record-store.ts'
export {
  type AnyShape,
  type ColumnDeclaration,
  type ColumnKind,
  parseColumn,
  type Shape,
} from '../kernel/shape.ts'
export { RULED_KINDS } from '../kernel/visibility.ts'
export {
  LONG_TEXTS,
  MIN_LONG_TEXT_BYTES,
  type Quota,
  type WorkspaceSize,
} from '../kernel/workspace-size.ts'
export type { Attempt } from '../schema/delivery.ts'
export { MAX_FILE_BYTES, MAX_LOGO_BYTES, MAX_LOGO_PIXELS } from '../schema/file-limits.ts'
export {
  COUNTED_COLLECTIONS,
  type Collection,
  type Records,
  SHAPES,
  SHARED_SHAPES,
  type SharedCollection,
  type SharedRecords,
  toCollection,
} from '../schema/index.ts'
export { type AccessGate, type AuthorizedGrant, LONG_CALL_MS } from './access-gate.ts'
export type { Clock, NewId, Random } from './clock.ts'
export type { Passwords, Secrets, Tokens } from './crypto.ts'
export type { FileContent, FileError, Files } from './files.ts'
export type { PrintableOffer, PrintOffer } from './offer-printer.ts'
export type { FetchDocument, FetchedDocument, ParseOutboundUrl } from './outbound.ts'
export type { Backlog, Claim, ClaimedDelivery, DeliveryQueue, Outbox, SuccessfulDelivery } from './outbox.ts'
export type { ParsePhone } from './parse-phone.ts'
export type { SanitizeHtml } from './sanitize-html.ts'
export type {
  ReadOptions,
  SharedStores,
  Storage,
  Transaction,
  TransactOptions,
  WorkspaceStores,
} from './storage.ts'
export type {
  Delimiter,
  DetectedEncoding,
  Encoding,
  Table,
  TableFormat,
  TableOptions,
  TableRow,
  TableRule,
  Tables,
} from './tables.ts'
export { TableError } from './tables.ts'

/** Everything the core requires from its runtime. */
export interface Ports {
  /** The database: `memoryStorage()`, or the storage of `sqliteStorage` or `postgresStorage`. */
  readonly storage: Storage
  /** The service's public address without a trailing slash: `iss` and `aud` of its tokens. */
  readonly issuer: string
  /** The clock of all use-cases. */
  readonly now: Clock
  /** Ids of new records. */
  readonly newId: NewId
  /** Source of tokens, secrets and codes. */
  readonly random: Random
  /** Hashes the passwords of users. */
  readonly passwords: Passwords
  /** Hashes tokens, signs deliveries, and encrypts what must be read again, under the service's key. */
  readonly secrets: Secrets
  /** Signs and verifies access tokens. */
  readonly tokens: Tokens
  /** Cleans the content of activities before it is stored. */
  readonly sanitizeHtml: SanitizeHtml
  /** Decodes and fetches images and attachments. */
  readonly files: Files
  /** Checks the URLs of webhooks. */
  readonly parseOutboundUrl: ParseOutboundUrl
  /** Compares phone numbers. Default: two numbers are the same if their digits are. */
  readonly parsePhone?: ParsePhone | undefined
  /** Reads the files of imports. Without it, files are refused. */
  readonly tables?: Tables | undefined
  /** Makes the documents of offers. Without it, they have none. */
  readonly printOffer?: PrintOffer | undefined
  /** Fetches client ID metadata documents. */
  readonly fetchDocument: FetchDocument
  /**
   * False where no mail server is set: the link of an invitation is then returned to the inviter and not mailed.
   * Default: true.
   */
  readonly deliversMail?: boolean | undefined
  /** Days for which an import can be reverted. Default: 30. */
  readonly importDays?: number | undefined
  /** The most that one workspace may hold; without it there is no bound. */
  readonly quota?: Quota | undefined
}
