import type * as v from 'valibot'
import type { Actor } from '../kernel/actor.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import type { Instant } from '../kernel/instant.ts'
import type { Writer } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { NewId, Random } from '../ports/clock.ts'
import type { Ports } from '../ports/index.ts'
import type { Transaction } from '../ports/storage.ts'
import type { EventName } from '../schema/events.ts'
import type { Input } from './patch.ts'
import type { ViewTransaction, WorkspaceTransaction } from './workspace-transaction.ts'

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

export interface WriteContext extends ChangeContext {
  readonly random: Random
  readonly actor: Actor
}

/**
 * Looks up the subscribers of a kind's events. Called beside the other reads of a change, before its writes.
 */
export type PrepareEvents = <Detail>(
  resource: EmitsEvents<Detail>,
  transaction: ViewTransaction,
) => Promise<EmitChange<Detail>>

/** The events of a kind of record. */
export interface EmitsEvents<Detail> {
  readonly collection: string
  /** Names of the events of a change, in the order of delivery, from the views before and after it. */
  events(before: Detail | undefined, after: Detail | undefined): readonly EventName[]
  /** The payload under the entity's key; null for kinds without events. */
  readonly snapshot: ((view: Detail) => object) | null
}

/** Emits the events of one change in its transaction. */
export type EmitChange<Detail> = (change: Change<Detail>, context: ChangeContext) => Promise<void>

/**
 * The views of a record before and after a change: a creation has no `before`, a deletion no `after`. They are built only
 * when there is a subscriber, for each as it sees other records.
 */
export interface Change<Detail> {
  /** The record after the change, or as it is deleted. */
  readonly record: RecordBase
  before?(transaction: ViewTransaction): Promise<Detail>
  after?(transaction: ViewTransaction): Promise<Detail>
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

/** The result of `createIdempotent`. */
export interface IdempotentResult<T> {
  /** The record as `create` returned it: a replay does not show later changes. */
  readonly response: T
  /** True when an earlier request created the record and this one only got its response. */
  readonly isReplay: boolean
}

/**
 * A rule of the application that embeds the core. It sees each record that is about to be created or updated, in
 * the transaction of that, and refuses it by throwing a CrmError. It awaits nothing but the stores of `transaction`, since
 * the transaction waits for it. They have all records of the workspace, whatever the member sees.
 */
export type RecordRule<R extends RecordBase> = (
  change: ProposedChange<R>,
  transaction: WorkspaceTransaction,
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

/** A feature's part in the writes of one kind of record. */
export interface Extension<R extends RecordBase> {
  /** Input fields of the extension, which are not columns of the record. */
  readonly inputFields?: readonly string[]
  /** Fields of a create that only some callers have. To others they are unknown. */
  readonly restricted?: RestrictedFields
  /** Locks the record of an update at once, for updates that lock or write other records. */
  readonly lock?: 'pessimistic'
  /** @throws CrmError `insufficient_scope` */
  authorize?(actor: Actor, input: Input): void
  /** Decodes the files of an input before its validation, which reports their errors with its own. */
  decode?(input: unknown, engine: Engine): Promise<DecodedInput>
  /** Converts valid input before the transaction: what takes long, or reaches out. */
  prepare?(input: Input, context: PreparationContext): Promise<Input>
  /** Looks up and checks the extension's fields. Sets errors under the caller's names for them. */
  resolve?(
    input: Input,
    before: R | undefined,
    transaction: ViewTransaction,
    errors: Map<string, string>,
    context: WriteContext,
  ): Promise<Resolution<R>>
  /** Called before the record is written, if its own fields change. */
  readonly check?: RecordRule<R>
  /** Writes beside an update of the record's own fields. */
  afterUpdate?(update: Update<R>, transaction: ViewTransaction, context: ChangeContext): Promise<void>
  /** Runs before a deletion, in its transaction. It refuses by throwing. */
  beforeDelete?(record: R, transaction: ViewTransaction, at: Instant): Promise<void>
}

export interface RestrictedFields {
  readonly entries: v.ObjectEntries
  allows(actor: Actor): boolean
}

export interface DecodedInput {
  readonly errors: FieldErrors
  /** Puts the files in the place of their texts. Called if the input is valid. */
  apply(input: Input): Input
}

export interface PreparationContext {
  readonly engine: Engine
  /** For what only a caller with the permission to write may make the service do. */
  requirePermission(): Promise<void>
}

export interface Update<R extends RecordBase> {
  readonly actor: Actor
  readonly before: R
  readonly after: R
}

/** The checked fields of an extension, not yet written. */
export interface Resolution<R extends RecordBase> {
  /** Columns that are written with the record's own fields. */
  readonly ownFields?: object
  /** Writes what belongs to the record, together with its own fields. Left out when there is nothing to write. */
  saveParts?(record: R, transaction: ViewTransaction): Promise<void>
  /** Columns that are written after the record's own fields: if that fails, those stay. */
  readonly fields?: object
  /** Changes other records, together with `fields`. Left out when there is nothing to change. */
  save?(recordId: string, transaction: ViewTransaction, context: ChangeContext): Promise<void>
  /** @throws CrmError `forbidden` */
  requirePermissions?(actor: Actor & Writer, transaction: ViewTransaction): Promise<void>
}
