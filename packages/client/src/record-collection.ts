import type { CallOptions, KeyedCallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'
import type { RecordList } from './record-list.ts'
import type { RecordTypes, Resource } from './record-types.ts'

/**
 * The records of one kind. The methods reject with a `CrmApiError`, a `CrmConnectionError`, the reason of an
 * aborted signal, or a `TypeError` for an invalid id or option.
 */
export interface RecordCollection<Types extends RecordTypes> {
  /** Lists records. Await the result for one page, or iterate it for all records. */
  list(...args: ListArguments<Types['query']>): RecordList<Types['item']>
  /** Returns a record. */
  get(id: string, options?: CallOptions): Promise<Types['record']>
  /**
   * Creates a record. It has an idempotency key, so that a call whose response is lost is repeated and creates one
   * record. Webhooks have none, and are repeated only if the service rejected the call (429, 503).
   */
  create(input: Types['input'], options?: Types['createOptions']): Promise<Types['saved']>
  /**
   * Sets the fields of `changes` and returns the record. `null` clears a field. It has an idempotency key, so that a
   * repetition does not undo what somebody else changed meanwhile. Webhooks have none, as for `create`.
   */
  update(id: string, changes: Types['changes'], options?: Types['createOptions']): Promise<Types['saved']>
  /**
   * Deletes a record permanently. If the response to an earlier attempt was lost, `not_found` counts as
   * success.
   */
  delete(id: string, options?: CallOptions): Promise<void>
}

/** The query is optional unless it has required fields. */
export type ListArguments<Query extends object> =
  Partial<Query> extends Query
    ? [query?: Query, options?: CallOptions]
    : [query: Query, options?: CallOptions]

export function createCollection<Types extends RecordTypes>(
  calls: RecordCalls,
  { path, hasSecret = false }: Resource,
): RecordCollection<Types> {
  const pathOf = (id: string) => `${path}/${encodeId('id', id)}`
  return {
    list: (query?: object, options?: CallOptions) => calls.list(path, query, options),
    get: async (id, options) => calls.get(pathOf(id), options),
    async create(input, options: KeyedCallOptions = {}) {
      const key = hasSecret ? undefined : (options.idempotencyKey ?? crypto.randomUUID())
      return calls.post(path, input, options, key)
    },
    async update(id, changes, options: KeyedCallOptions = {}) {
      const key = hasSecret ? undefined : (options.idempotencyKey ?? crypto.randomUUID())
      return calls.patch(pathOf(id), changes, options, { isRepeatable: !hasSecret }, key)
    },
    delete: async (id, options) => calls.delete(pathOf(id), options),
  }
}
