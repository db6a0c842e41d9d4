import type { Import, ImportChanges, ImportListItem, KeptRecord, NewImport, PageQuery } from './api-types.ts'
import { type CallOptions, checkCallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'
import type { RecordList } from './record-list.ts'

/** What becomes of a record that a reversal has left. */
export interface ImportDecision {
  /** That of the kept record. */
  readonly number: number
  readonly decision: 'keep' | 'revert'
}

/** Files of CSV, TSV or NDJSON whose rows become records in the background. `get` tells how far an import is. */
export interface ImportCollection {
  /** Begins an import, whose file follows in parts. */
  create(input: NewImport, options?: CallOptions): Promise<Import>
  /**
   * Sends a part of the file, at most 8 MiB. `offset` is `received` of the import. After a lost response the part may
   * have arrived: `get` tells where the file goes on.
   */
  upload(id: string, offset: number, part: Blob, options?: CallOptions): Promise<Import>
  /** Lists the imports that the member may see, the newest first by default. */
  list(query?: PageQuery, options?: CallOptions): RecordList<ImportListItem>
  get(id: string, options?: CallOptions): Promise<Import>
  /** Changes columns and rules. */
  update(id: string, changes: ImportChanges, options?: CallOptions): Promise<Import>
  /** Deletes the import and its file. Its records stay. */
  delete(id: string, options?: CallOptions): Promise<void>
  /** Checks all rows, and writes nothing. */
  check(id: string, options?: CallOptions): Promise<Import>
  /** Writes the rows. */
  run(id: string, input?: { readonly confirm_deliveries?: boolean }, options?: CallOptions): Promise<Import>
  pause(id: string, options?: CallOptions): Promise<Import>
  resume(id: string, options?: CallOptions): Promise<Import>
  /** Ends a check or a run. What is written stays. */
  cancel(id: string, options?: CallOptions): Promise<Import>
  /** Takes back what it has written. */
  revert(id: string, options?: CallOptions): Promise<Import>
  /** Lists what a reversal has left, since somebody has changed it or linked to it. */
  kept(id: string, query?: PageQuery, options?: CallOptions): RecordList<KeptRecord>
  /** Decides what becomes of at most 100 of them. */
  decide(id: string, decisions: readonly ImportDecision[], options?: CallOptions): Promise<Import>
}

export function createImportCollection(calls: RecordCalls): ImportCollection {
  const pathOf = (id: string) => `imports/${encodeId('id', id)}`
  const post = async (path: string, input: unknown, options: CallOptions = {}): Promise<Import> => {
    checkCallOptions(options)
    return calls.post(path, input, options)
  }
  const step =
    (name: string) =>
    async (id: string, options?: CallOptions): Promise<Import> =>
      post(`${pathOf(id)}/${name}`, {}, options)
  return {
    create: (input, options) => post('imports', input, options),
    upload: async (id, offset, part, options) => calls.put(`${pathOf(id)}/file`, part, options, { offset }),
    list: (query, options) => calls.list('imports', query, options),
    get: async (id, options) => calls.get(pathOf(id), options),
    async update(id, changes, options = {}) {
      checkCallOptions(options)
      return calls.patch(pathOf(id), changes, options, { isRepeatable: true })
    },
    delete: async (id, options) => calls.delete(pathOf(id), options),
    check: step('check'),
    run: async (id, input = {}, options) => post(`${pathOf(id)}/run`, input, options),
    pause: step('pause'),
    resume: step('resume'),
    cancel: step('cancel'),
    revert: step('revert'),
    kept: (id, query, options) => calls.list(`${pathOf(id)}/kept`, query, options),
    decide: async (id, decisions, options) => post(`${pathOf(id)}/decisions`, { decisions }, options),
  }
}
