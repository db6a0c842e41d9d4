import type { Actor } from '../kernel/actor.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { NewId } from '../ports/clock.ts'
import type { Ports } from '../ports/index.ts'
import type { Transaction } from '../ports/storage.ts'
import type { Input } from './patch.ts'
import type { EmitsEvents } from './resource.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/**
 * The ports, and what features add to every kind of record. The engine imports no feature: `crm.ts` hands
 * them in.
 */
export interface Engine extends Ports {
  readonly prepareEvents: PrepareEvents
  readonly createIdempotently: CreateIdempotently
}

/** The instant of a change and the source of ids for what it inserts. */
export interface ChangeContext {
  readonly at: Instant
  readonly newId: NewId
}

/**
 * Looks up the subscribers of a kind's events. Called beside the other reads of a change, before its writes.
 */
export type PrepareEvents = <Detail>(
  resource: EmitsEvents<Detail>,
  unit: WorkspaceTransaction,
) => Promise<EmitChange<Detail>>

/** Emits the events of one change in its transaction. */
export type EmitChange<Detail> = (change: Change<Detail>, context: ChangeContext) => Promise<void>

/**
 * The views of a record before and after a change: a creation has no `before`, a deletion no `after`. They
 * are built only when there is a subscriber.
 */
export interface Change<Detail> {
  readonly before?: () => Promise<Detail>
  readonly after?: () => Promise<Detail>
}

/**
 * Runs `create` once per key and input within 24 hours. `saveResponse` stores the response in the transaction
 * of the creation; `keyErrors` are the errors of the key itself, for `create` to report with its own.
 * @throws CrmError `idempotency_conflict` when the key was used with another body, and what `create` throws
 */
export type CreateIdempotently = <T>(
  request: IdempotentRequest,
  create: (saveResponse: SaveResponse, keyErrors: FieldErrors) => Promise<T>,
) => Promise<IdempotentResult<T>>

export interface IdempotentRequest {
  readonly actor: Actor
  /** Part of the stored scope: another value would let a retried request create a second record. */
  readonly path: string
  readonly key: string
  readonly body: unknown
}

export type SaveResponse = (tx: Transaction, response: unknown) => Promise<void>

/** What a creation does for `createIdempotent`: it reports the errors of the key, and saves the response. */
export interface IdempotentCreation {
  readonly keyErrors: FieldErrors
  readonly saveResponse: SaveResponse
}

/** The result of `createIdempotent`. */
export interface IdempotentResult<T> {
  /** The record as `create` returned it: a replay does not show later changes. */
  readonly response: T
  /** True when an earlier request created the record and this one only got its response. */
  readonly isReplay: boolean
}

/**
 * A rule of the application that embeds the core. It sees each record that is about to be created or updated, in
 * the transaction of that, and refuses it by throwing a CrmError. It awaits nothing but the stores of `unit`, since
 * the transaction waits for it.
 */
export type RecordRule<R extends RecordBase> = (
  change: ProposedChange<R>,
  unit: WorkspaceTransaction,
) => void | Promise<void>

/** The change that a `RecordRule` judges. A creation has no `before`. */
export interface ProposedChange<R extends RecordBase> {
  /** The member who makes the change. */
  readonly actor: Actor
  /** The record as it is stored. */
  readonly before: R | undefined
  /** The record as it is about to be stored. */
  readonly after: R
}

/** A feature's part in the creates and updates of one kind of record. */
export interface Extension<R extends RecordBase> {
  /** Input fields of the extension, which are not columns of the record. */
  readonly inputFields?: readonly string[]
  /** @throws CrmError `insufficient_scope` */
  authorize?(actor: Actor, input: Input): void
  /** Converts valid input before the transaction: what takes long, or reaches out. */
  prepare?(input: Input): Promise<Input>
  /** Looks up and checks the extension's fields. Sets errors under the caller's names for them. */
  resolve?(
    input: Input,
    before: R | undefined,
    unit: WorkspaceTransaction,
    errors: Map<string, string>,
  ): Promise<Resolution>
  /** Called before the record is written, if its own fields change. */
  readonly check?: RecordRule<R>
  /** Writes beside an update of the record's own fields. */
  afterUpdate?(update: Update<R>, unit: WorkspaceTransaction, context: ChangeContext): Promise<void>
}

export interface Update<R extends RecordBase> {
  readonly actor: Actor
  readonly before: R
  readonly after: R
}

/** The checked fields of an extension, not yet written. */
export interface Resolution {
  /** Columns of the record itself. */
  readonly fields: object
  /** @throws CrmError `forbidden` */
  requirePermissions?(actor: Actor, unit: WorkspaceTransaction): Promise<void>
  /** Changes other records. Left out when there is nothing to change. */
  save?(recordId: string, unit: WorkspaceTransaction, context: ChangeContext): Promise<void>
}
