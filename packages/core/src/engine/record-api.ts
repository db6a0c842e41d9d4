import type { Actor } from '../kernel/actor.ts'
import type { IdempotentResult } from './extension.ts'
import type { DetailQuery } from './include-parameter.ts'
import type { Listing } from './list-query.ts'
import type { Versioned, WriteConditions } from './record-version.ts'

/**
 * The operations on one kind of record, such as `crm.people`. They see the records of the actor's workspace,
 * and send the events of the kind (task types, lists and custom fields have none).
 */
export interface RecordApi<Query, Create, Update, Item, Detail> {
  /**
   * Returns a page of the records that match all filters. A filter by an unknown id matches none.
   * @throws CrmError `insufficient_scope`, `validation_error`
   */
  list(actor: Actor, query?: Query): Promise<Listing<Item>>
  /**
   * Returns a record with everything that lists leave out.
   * @throws CrmError `insufficient_scope`, `validation_error`; `not_found`, also for a deleted record, one of another workspace
   * and an id that is no UUID
   */
  get(actor: Actor, id: string, query?: DetailQuery): Promise<Detail>
  /** As `get`, with the version of the record. */
  getVersioned(actor: Actor, id: string, query?: DetailQuery): Promise<Versioned<Detail>>
  /**
   * Creates a record and sends its `created` event. A null field is the same as one that is left out.
   * @throws CrmError `insufficient_scope`, `validation_error`, `forbidden`, `conflict`, and what a
   * `RecordRule` throws
   */
  create(actor: Actor, input: Create): Promise<Detail>
  /**
   * Changes the fields that are sent; null clears a field. Sends the `updated` event, unless nothing changes:
   * then nothing is written.
   * @throws CrmError as `create`, `bad_request` without a known field, `not_found`, `precondition_failed` for another
   * version, and `internal_error` if only the record's own fields were saved
   */
  update(actor: Actor, id: string, input: Update, conditions?: WriteConditions): Promise<Detail>
  /**
   * Soft-deletes a record and sends its `deleted` event with the last state. Records that refer to it stay.
   * @throws CrmError `insufficient_scope`, `not_found`, `forbidden`, `precondition_failed`; `conflict` for a pipeline
   * with deals
   */
  remove(actor: Actor, id: string, conditions?: WriteConditions): Promise<void>
}

/** Creation for callers that cannot know whether an earlier request arrived. */
export interface IdempotentCreateApi<Create, Detail> {
  /**
   * Creates one record per `key` (1 to 255 printable ASCII characters) within 24 hours. A second call with an
   * equal input creates nothing and returns the same response.
   * @throws CrmError as `create`, `idempotency_conflict` for another input
   */
  createIdempotent(actor: Actor, key: string, input: Create): Promise<IdempotentResult<Detail>>
}

/** Updates for callers that cannot know whether an earlier request arrived. */
export interface IdempotentUpdateApi<Update, Detail> {
  /**
   * Changes a record once per `key` within 24 hours. A second call with an equal input changes nothing, also if the
   * record was changed since, and returns the same response.
   * @throws CrmError as `update`, `idempotency_conflict` for another input
   */
  updateIdempotent(
    actor: Actor,
    key: string,
    id: string,
    input: Update,
    conditions?: WriteConditions,
  ): Promise<IdempotentResult<Detail>>
}

/** The operations of any kind of record, for adapters that hand their input on without a type. */
export interface AnyRecordApi
  extends Omit<RecordApi<never, never, never, object, { readonly id: string }>, 'list'>,
    IdempotentCreateApi<never, { readonly id: string }>,
    IdempotentUpdateApi<never, { readonly id: string }> {
  list(actor: Actor, query: never): Promise<Listing<object>>
}
