import type {
  Decisions,
  Import,
  ImportChanges,
  ImportListItem,
  ImportRun,
  KeptRecord,
  NewImport,
  PageQuery,
} from './api-types.ts'
import type { CallOptions } from './call-options.ts'
import { checkFunction, encodeId } from './check.ts'
import { CrmApiError } from './errors.ts'
import type { RecordCalls } from './record-calls.ts'
import type { RecordList } from './record-list.ts'
import type { Runtime } from './runtime.ts'

/** The bytes of a file. */
export type ImportSource = Blob | Uint8Array<ArrayBuffer>

/** The options of calls that tell how far an import is. */
export interface ImportProgressOptions extends CallOptions {
  /** Called with the import after each part of the file, or each look at it. */
  readonly onProgress?: ((current: Import) => void) | undefined
}

/**
 * Files whose rows become records, in the background: `upload`, `wait`, `check`, `wait`, `run`, `wait`. Members see their own
 * imports, owners and admins all. `create` and the steps are not repeated if their response is lost: `get` tells what became of
 * them.
 */
export interface ImportCollection {
  /** Lists imports, the newest first. */
  list(query?: PageQuery, options?: CallOptions): RecordList<ImportListItem>
  /** Returns an import with its columns, its rules, and how far it is. */
  get(id: string, options?: CallOptions): Promise<Import>
  /** Begins an import without its file. `upload` does so with it. */
  create(input: NewImport, options?: CallOptions): Promise<Import>
  /**
   * Begins an import and sends its file in parts of 8 MiB. After a lost connection it goes on where the service has the file.
   * The import is then read: `wait` for `ready` or `unreadable`. `timeoutMs` is that of each part; default: five minutes.
   */
  upload(input: Omit<NewImport, 'size'>, file: ImportSource, options?: ImportProgressOptions): Promise<Import>
  /**
   * Sends a part of the file of an import that has begun, at most 8 MiB. `offset` is `received` of the import. If the service has
   * the part already, the import says where the file goes on.
   */
  uploadPart(id: string, offset: number, part: ImportSource, options?: CallOptions): Promise<Import>
  /** Changes what the columns become, and the rules. */
  update(id: string, changes: ImportChanges, options?: CallOptions): Promise<Import>
  /** Checks all rows, and writes nothing. The import then has a `report`. */
  check(id: string, options?: CallOptions): Promise<Import>
  /** Writes the rows. Needs the `:write` scope of each kind. */
  run(id: string, input?: ImportRun, options?: CallOptions): Promise<Import>
  /** Stops a run after the rows at hand. */
  pause(id: string, options?: CallOptions): Promise<Import>
  /** Goes on with a paused run, at the row that it had reached. */
  resume(id: string, options?: CallOptions): Promise<Import>
  /** Ends a check or a run. What is written stays. */
  cancel(id: string, options?: CallOptions): Promise<Import>
  /**
   * Returns the rows of which something was left out as CSV, in the columns of the file and with the reasons in a last one,
   * in parts while they are received:
   *
   * ```ts
   * for await (const text of crm.imports.failedRows(id)) file.write(text)
   * ```
   *
   * It begins with a byte order mark, by which spreadsheets know UTF-8. `timeoutMs` is as that of `export`.
   */
  failedRows(id: string, options?: CallOptions): AsyncGenerator<string, void, undefined>
  /** Deletes what a run has made and restores what it has changed, unless somebody has changed it since. */
  revert(id: string, options?: CallOptions): Promise<Import>
  /** Lists what a reversal has left. */
  kept(id: string, query?: PageQuery, options?: CallOptions): RecordList<KeptRecord>
  /** Keeps what a reversal has left, or takes it back. */
  decide(id: string, input: Decisions, options?: CallOptions): Promise<Import>
  /** Deletes an import with its file. Its records stay, and it can no longer be reverted. */
  delete(id: string, options?: CallOptions): Promise<void>
  /**
   * Returns the import once it is in one of the states; default: in any in which the service does nothing with it. It looks
   * after half a second, then less often, and at least every five seconds.
   */
  wait(id: string, states?: readonly Import['state'][], options?: ImportProgressOptions): Promise<Import>
}

const PATH = 'imports'
/** The largest part that the service takes. */
const PART_BYTES = 8 * 1_048_576
const PART_TIMEOUT_MS = 300_000
const [FIRST_WAIT_MS, MAX_WAIT_MS] = [500, 5000]
const RESTING: readonly Import['state'][] = [
  'uploading',
  'unreadable',
  'ready',
  'checked',
  'paused',
  'done',
  'cancelled',
  'reverted',
]

export function createImportCollection(
  calls: RecordCalls,
  { sleep }: Pick<Runtime, 'sleep'>,
): ImportCollection {
  const pathOf = (id: string) => `${PATH}/${encodeId('id', id)}`
  const get = async (id: string, options?: CallOptions): Promise<Import> => calls.get(pathOf(id), options)
  const post = async (path: string, input: unknown, options: CallOptions = {}): Promise<Import> => {
    return calls.post(path, input, options)
  }
  const step = (name: string) => async (id: string, options?: CallOptions) =>
    post(`${pathOf(id)}/${name}`, {}, options)

  /** Sends a part. If the service has had it already, or another process has sent it, returns where the file goes on. */
  async function uploadPart(
    id: string,
    offset: number,
    part: ImportSource,
    options: CallOptions = {},
  ): Promise<Import> {
    try {
      return await calls.putBytes(`${pathOf(id)}/file`, part, options, { offset })
    } catch (error) {
      if (!(error instanceof CrmApiError) || error.code !== 'conflict') throw error
      const now = await get(id, options)
      if (now.received === offset) throw error
      return now
    }
  }

  return {
    list: (query, options) => calls.list(PATH, query, options),
    get,
    create: async (input, options) => post(PATH, input, options),
    async upload(input, file, { onProgress, ...options } = {}) {
      checkFunction('onProgress', onProgress)
      const size = file instanceof Blob ? file.size : file.byteLength
      let current = await post(PATH, { ...input, size }, options)
      while (current.received < size) {
        const [start, end] = [current.received, current.received + PART_BYTES]
        const part = file instanceof Blob ? file.slice(start, end) : file.subarray(start, end)
        current = await uploadPart(current.id, start, part, { timeoutMs: PART_TIMEOUT_MS, ...options })
        onProgress?.(current)
      }
      return current
    },
    uploadPart,
    update: async (id, changes, options) => calls.patch(pathOf(id), changes, options, { isRepeatable: true }),
    check: step('check'),
    run: async (id, input = {}, options) => post(`${pathOf(id)}/run`, input, options),
    pause: step('pause'),
    resume: step('resume'),
    cancel: step('cancel'),
    failedRows: (id, options = {}) => calls.exportText(`${pathOf(id)}/failed-rows`, options),
    revert: step('revert'),
    kept: (id, query, options) => calls.list(`${pathOf(id)}/kept`, query, options),
    decide: async (id, input, options) => post(`${pathOf(id)}/decisions`, input, options),
    delete: async (id, options) => calls.delete(pathOf(id), options),
    async wait(id, states = RESTING, { onProgress, ...options } = {}) {
      checkFunction('onProgress', onProgress)
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, MAX_WAIT_MS)) {
        const current = await get(id, options)
        onProgress?.(current)
        if (states.includes(current.state)) return current
        await sleep(waitMs, options.signal)
      }
    },
  }
}
