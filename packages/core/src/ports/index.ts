import type {
  AggregateQuery,
  AggregateRow,
  Condition,
  DurationQuery,
  ListQuery,
  Page,
} from '../kernel/record-queries.ts'
import type { Collection, Records, SharedCollection, SharedRecords } from '../schema/index.ts'
import type { FetchDocument, Files, OutboundUrl } from './files.ts'
import type { Outbox } from './outbox.ts'

export { CrmError, conflict } from '../kernel/errors.ts'
export { listeners } from '../kernel/listeners.ts'
export { SHALLOW_PAGE_LIMIT } from '../kernel/paging.ts'
export type {
  AggregateQuery,
  AggregateRow,
  Condition,
  DurationQuery,
  GroupBy,
  ListQuery,
  NotExistsCondition,
  Page,
  RelatedCondition,
} from '../kernel/record-queries.ts'
export type { Attempt } from '../schema/delivery.ts'
export type {
  AnyShape,
  Collection,
  ColumnDeclaration,
  ColumnKind,
  Records,
  Shape,
  SharedCollection,
  SharedRecords,
} from '../schema/index.ts'
export { parseColumn, SHAPES, SHARED_SHAPES } from '../schema/index.ts'
export type { FetchDocument, FetchedDocument, FileContent, FileFault, Files, OutboundUrl } from './files.ts'
export type { Backlog, Claim, ClaimedDelivery, DeliveryQueue, Outbox, SuccessfulDelivery } from './outbox.ts'

/** ISO 8601 UTC with milliseconds (`2026-03-01T12:00:00.000Z`), so that instants sort as strings. */
export type Instant = string

/** What every record has. Records are plain values: a store gives back an equal value, never the same one changed. */
export interface RecordBase {
  /** A lower-case UUID. Where an id is asked for, no call brings other text. */
  readonly id: string
  readonly created_at: Instant
  /** Null only for kinds whose contract says nullable. */
  readonly updated_at: Instant | null
}

/**
 * The live records of one collection, in one workspace for workspace collections. Records that are soft-deleted or belong to
 * another workspace do not exist here, but for this: a deleted record still conflicts on a field that is never reused. One id may
 * name a record in each of several workspaces.
 *
 * A write may be sent late, with the commit: its `conflict` is then thrown by `transact` instead. A read in the same
 * transaction always sees the writes before it.
 */
export interface RecordStore<R extends RecordBase> {
  get(id: string, options?: GetOptions): Promise<R | undefined>
  /**
   * Reads a record and locks it against every other writer and locker until the transaction ends. With `lock: 'optimistic'` the
   * store may check the record at commit instead: if it changed, `work` is retried. References may be loaded with it.
   */
  getForUpdate(id: string, options?: LockOptions): Promise<R | undefined>
  /** Reads a record and locks it against writers until the transaction ends. Other `getForShare` locks are compatible. */
  getForShare(id: string): Promise<R | undefined>
  /** Those that exist, in no particular order, each once. */
  getMany(ids: readonly string[]): Promise<readonly R[]>
  /** All that match, in order of `created_at`, then `id`. For sets known to be small. */
  find(where: readonly Condition<R>[]): Promise<readonly R[]>
  has(where: readonly Condition<R>[]): Promise<boolean>
  /** For each of `words`, how many records hold it in `field`, a words field. */
  countByTerm(field: keyof R & string, terms: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Text orders by code point, nulls come first ascending and last descending, ties go by `id` in the same direction.
   * `rows` and `total` are of one moment within `read`.
   */
  list(query: ListQuery<R>): Promise<Page<R>>
  /**
   * Those that match, in groups, the greatest first, ties in ascending order of their keys as `list` has it. Without `by` all are one
   * group, which there is though it be empty.
   */
  aggregate(query: AggregateQuery<R>): Promise<readonly AggregateRow[]>
  /**
   * The median of the milliseconds from one instant field to another, of those that match and have both: of an even number the mean
   * of the two in the middle. `undefined` of none.
   */
  medianDuration(query: DurationQuery<R>): Promise<number | undefined>
  /**
   * @throws CrmError `conflict`, naming the field, when a unique value is taken, any one of them when several are; any error when
   * the id is, by a deleted record too.
   */
  insert(record: R): Promise<void>
  /** As `insert` for each, in as few statements as the database allows. */
  insertMany(records: readonly R[]): Promise<void>
  /**
   * Writes every field of a live record. One that is not there stays away, and nothing about it is checked. With `before`, what
   * the record is until now, fields that are equal in both need not be written. @throws CrmError `conflict`, as `insert`.
   */
  update(record: R, before?: R): Promise<void>
  /** `at` is kept beside the record and changes no field. False when there was nothing to delete. */
  softDelete(id: string, at: Instant): Promise<boolean>
  /** Removes a record, live or deleted, as if it had never been. Nothing may refer to it. */
  hardDelete(id: string): Promise<void>
}

/** `include: 'references'` announces that the records this one refers to are read next: a store may load them in the same query. */
export interface GetOptions {
  readonly include?: 'references'
}

/** `lock: 'optimistic'` is for work that relies on no other lock. Without it the lock is pessimistic. */
export interface LockOptions {
  readonly lock?: 'optimistic'
}

export type WorkspaceStores = { readonly [C in Collection]: RecordStore<Records[C]> }
export type SharedStores = { readonly [C in SharedCollection]: RecordStore<SharedRecords[C]> }

/**
 * A unit of work: the records all workspaces share, and those of each workspace. Of no use once `work` is over: every call then
 * rejects.
 */
export interface Transaction extends SharedStores {
  workspace(id: string): WorkspaceStores
  readonly outbox: Outbox
  /** Once this is committed, whoever listens to `onNotify` is called. Of no effect in a read. */
  notify(): void
  /**
   * A part that may fail alone: when it does, what `part` wrote is taken back, the promise rejects with the first failure, and the
   * transaction goes on as if the part had never been. Nothing else is called until it is over, no other `attempt` in it either.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

export interface TransactOptions {
  /**
   * `relaxed` does not wait for the disk, for work that may run twice. Others see the commit, and it survives this process. A power
   * cut or a crash of the database may undo it as a whole, unless a durable commit has followed. Locks are waited for less
   * long, so that it may fail where a durable transaction would not. PostgreSQL: asynchronous commit; SQLite: `synchronous=NORMAL`.
   */
  readonly durability?: 'relaxed'
}

export interface ReadOptions {
  /**
   * `statement` drops the snapshot: each call sees what is committed when it runs. Rows and total of a list are still of one
   * snapshot when the list has no conditions and the page ends within the first `SHALLOW_PAGE_LIMIT` records.
   */
  readonly isolation?: 'statement'
  /** `report` may read every record of a workspace. The store keeps it from delaying other calls; reports may wait for each other. */
  readonly workload?: 'report'
}

/** What is promised here holds between processes that share a database too. */
export interface Storage {
  /**
   * Commits when `work` resolves, rolls back when it throws. Resolves only once the commit is durable. Not re-entrant: inside
   * `work`, await nothing but `tx`. After a deadlock or the like, which is never the caller's to hear of, `work` runs again from the start: it has
   * no other effects.
   *
   * If any write of a transaction fails outside `attempt`, `transact` rejects with the first such failure and nothing is kept,
   * whether or not `work` waited for that call or caught its error.
   */
  transact<T>(work: (tx: Transaction) => Promise<T>, options?: TransactOptions): Promise<T>
  /** Runs work that only reads, from one snapshot. A write or a lock in it throws. */
  read<T>(work: (tx: Transaction) => Promise<T>, options?: ReadOptions): Promise<T>
  /**
   * `listener` is called soon after a transaction that said `wake` is committed, by whatever process shares the database. Calls of many
   * may be one, one may come without cause, and one may be lost with a connection: so nobody waits for it alone. What a listener
   * throws is passed over. Gives what ends it.
   */
  onNotify(listener: () => void): () => void
  /** Rejects when the database does not answer or lacks a migration. */
  check(): Promise<void>
  /** Waits for what has begun, then lets go of the database; nothing begins after it. Safe to call twice. */
  close(): Promise<void>
}

/** A limit of so many calls in a window that opens with the first of them. */
export interface RateLimit {
  /** Who and what is counted: `app:<client_id>:GET`. */
  readonly key: string
  readonly limit: number
  readonly seconds: number
}

export interface RateLimitWindow {
  /** Calls counted in this window, the present one included. More than the limit means refused. */
  readonly used: number
  /** When the window closes, in whole Unix seconds, rounded up. */
  readonly resetsAt: number
  /**
   * Whole seconds until the window closes, rounded up: at least 1 and at most `seconds`. Counted from its true end, not from
   * `resets`.
   */
  readonly retryAfterSeconds: number
}

/** Whom a grant lets in: the member who approved it, with the role it has now. */
export interface AuthorizedGrant {
  readonly user_id: string
  readonly client_id: string
  readonly role: 'owner' | 'admin' | 'member'
}

/**
 * The door in front of every call: what a token's grant is worth now, and how often its app has called. The instant a window
 * closes belongs to the next one. A closed window may be forgotten; counts may be lost with the process, or in a flood of keys.
 */
export interface AccessGate {
  count(rateLimit: RateLimit): Promise<RateLimitWindow>
  /**
   * Looks the grant up and counts the call, in one step so that a database can do both in one statement. `undefined`, and
   * nothing counted, when the grant is revoked, or its member removed, or either deleted or unknown: neither the app nor
   * `refresh_expires_at` is judged. `window` is left out when there is no counter, or the database takes no writes for now.
   */
  authorize(
    grant: { readonly workspace_id: string; readonly id: string },
    rateLimit: RateLimit | undefined,
  ): Promise<{ readonly grant: AuthorizedGrant; readonly window: RateLimitWindow | undefined } | undefined>
}

export type Clock = () => Instant
/** A new UUIDv7, lower case. */
export type NewId = () => string
/** Unpredictable bytes. */
export type Random = (bytes: number) => Uint8Array

export interface Passwords {
  hash(password: string): Promise<string>
  /** @throws Error when `hash` was not made by a function known here */
  verify(password: string, hash: string): Promise<boolean>
}

/** Secrets that nobody need read again are hashed; those the service must use again are sealed under its own key. */
export interface Secrets {
  /** SHA-256 in hex: for values that are random already. */
  hash(secret: string): string
  /** HMAC-SHA256 of a text's UTF-8, in hex. The key is the UTF-8 of `key`. */
  sign(text: string, key: string): string
  /** Whether `hash` is the secret's, found out in a time that tells nothing. */
  matches(secret: string, hash: string): boolean
  /** @param context what the secret belongs to; it opens only for the same. */
  seal(secret: Uint8Array, context: string): string
  /** @throws Error when the text was sealed under another key or context, or was altered. */
  open(sealed: string, context: string): Uint8Array
}

/** Signed tokens: JWT with HS256, and `kid` in the header. */
export interface Tokens {
  sign(claims: Readonly<Record<string, unknown>>, kid: string, secret: Uint8Array): string
  /** The `kid` of a well-formed HS256 token; `undefined` for anything else. Nothing is verified. */
  readKeyId(token: string): string | undefined
  /** The claims, when the signature is right. Expiry is not judged. */
  verify(token: string, secret: Uint8Array): Readonly<Record<string, unknown>> | undefined
}

/** HTML with nothing left in it but formatting: no script, style, event handlers or `javascript:`. Cleaning twice is cleaning once. */
export type SanitizeHtml = (html: string) => string

/** Everything the core asks of the world. */
export interface Ports {
  readonly storage: Storage
  /** The service's public address, without a slash at the end: `iss` and `aud` of its tokens. */
  readonly issuer: string
  readonly now: Clock
  readonly newId: NewId
  readonly random: Random
  readonly passwords: Passwords
  readonly secrets: Secrets
  readonly tokens: Tokens
  readonly cleanHtml: SanitizeHtml
  readonly files: Files
  /** The URL as a parser writes it and its host name, or the rule it breaks as a sentence for the caller. */
  readonly outboundUrl: OutboundUrl
  readonly fetchDocument: FetchDocument
}
