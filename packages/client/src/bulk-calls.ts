import type * as Api from './api-types.ts'
import type { CallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'
import type { RecordList } from './record-list.ts'

/** Records that are changed together. */
export interface BulkCall<Input> {
  /**
   * Begins a change or deletion of all records that match now, at most 100,000, in the background. It is not repeated if its
   * response is lost: `bulkChanges.list` tells whether it has begun.
   */
  startBulkChange(input: Input, options?: CallOptions): Promise<Api.BulkChange>
}

/** Changes of all records that matched, in the background. Scope: the `:write` scope of their kind. */
export interface BulkChangeCollection {
  /** Lists the changes of the last 30 days, the newest first. */
  list(query?: Api.PageQuery, options?: CallOptions): RecordList<Api.BulkChange>
  /** Returns a change, with how far it is. */
  get(id: string, options?: CallOptions): Promise<Api.BulkChange>
  /** Lists the records that were left as they were, with the reasons. */
  failures(id: string, query?: Api.PageQuery, options?: CallOptions): RecordList<Api.BulkFailure>
  /** Ends a change. What was changed stays. */
  stop(id: string, options?: CallOptions): Promise<Api.BulkChange>
  /** Sets the records as they were, except those that were changed since. Not for a deletion. */
  revert(id: string, options?: CallOptions): Promise<Api.BulkChange>
}

export function createBulkCall<Input>(calls: RecordCalls, path: string): BulkCall<Input> {
  return { startBulkChange: async (input, options = {}) => calls.post(`${path}/bulk`, input, options) }
}

export function createBulkChangeCollection(calls: RecordCalls): BulkChangeCollection {
  const path = 'bulk-changes'
  const pathOf = (id: string) => `${path}/${encodeId('id', id)}`
  const step =
    (name: string) =>
    async (id: string, options: CallOptions = {}): Promise<Api.BulkChange> =>
      calls.post(`${pathOf(id)}/${name}`, {}, options)
  return {
    list: (query, options) => calls.list(path, query, options),
    get: async (id, options) => calls.get(pathOf(id), options),
    failures: (id, query, options) => calls.list(`${pathOf(id)}/failures`, query, options),
    stop: step('stop'),
    revert: step('revert'),
  }
}
