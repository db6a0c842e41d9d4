import type { CallOptions } from './call-options.ts'
import type { RecordCalls } from './record-calls.ts'

/** The filters and the order of the list. Activities need no entity. */
export type ExportQuery<Query> = Omit<Query, 'page' | 'per_page' | 'include' | 'entity' | 'id'>

/** Records that are read in numbers. */
export interface ExportCall<Query, Full> {
  /**
   * Returns all records that match, each as `get` returns it, without `shared_with`, from one snapshot, while they are received:
   *
   * ```ts
   * for await (const person of crm.people.export({ tag: 'vip' })) console.log(person.full_name)
   * ```
   *
   * A workspace has one export at a time. `timeoutMs` is that of the beginning of the response, and then of each part of
   * it; default: ten minutes. Once the response has begun, nothing is repeated.
   */
  export(query?: ExportQuery<Query>, options?: CallOptions): AsyncGenerator<Exported<Full>, void, undefined>
}

/** Who may see a record is no part of an export. */
type Exported<Full> = Omit<Full, 'shared_with'>

export function createExportCall<Query, Full>(calls: RecordCalls, path: string): ExportCall<Query, Full> {
  return {
    export: (query, options = {}) => calls.export(`${path}/export`, { ...query, format: 'ndjson' }, options),
  }
}
