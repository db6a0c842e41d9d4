import type * as Api from './api-types.ts'
import type { CallOptions, KeyedCallOptions } from './call-options.ts'
import type { RecordCalls } from './record-calls.ts'

/** Records that are changed or created by a value that they hold. */
export interface UpsertCall<Upsert, Full> {
  /**
   * Changes the record that holds the value of `match`, or creates one that does, and returns it. Of calls at the same
   * time with one value, one creates the record. Rejects with a `conflict` and its `existingIds` if several records match.
   */
  upsert(input: Upsert, options?: CallOptions): Promise<Full>
}

/** The result of an operation of a batch: the status and the body of the same call alone. */
export interface BatchItem<Full> {
  readonly status: number
  /** Null for a deletion. */
  readonly body: { readonly data: Full } | Api.ErrorResponse | null
}

/** Records that are written in numbers. */
export interface BatchCall<Full> {
  /**
   * Runs up to 100 operations in one transaction, and returns the result of each. With `atomic`, it rejects and writes
   * nothing if one fails. It has an idempotency key, so that a repetition writes nothing.
   */
  batch(input: Api.Batch, options?: KeyedCallOptions): Promise<readonly BatchItem<Full>[]>
}

/** Writes besides those of single records by their ids. */
export interface WriteCalls<Upsert, Full> extends UpsertCall<Upsert, Full>, BatchCall<Full> {}

export function createWriteCalls<Upsert, Full>(calls: RecordCalls, path: string): WriteCalls<Upsert, Full> {
  return { ...createUpsertCall(calls, path), ...createBatchCall(calls, path) }
}

export function createBatchCall<Full>(calls: RecordCalls, path: string): BatchCall<Full> {
  return {
    async batch(input, options = {}) {
      return calls.post(`${path}/batch`, input, options, options.idempotencyKey ?? crypto.randomUUID())
    },
  }
}

function createUpsertCall<Upsert, Full>(calls: RecordCalls, path: string): UpsertCall<Upsert, Full> {
  return {
    // The second of two equal calls changes nothing.
    upsert: async (input, options) => calls.post(`${path}/upsert`, input, options, undefined, true),
  }
}
