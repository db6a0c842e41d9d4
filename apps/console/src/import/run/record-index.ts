import type { RecordList } from '@sales-crm/client'
import type { Pace } from './pace.ts'

export interface RecordSource {
  readonly list: (query: ListQuery) => RecordList<FoundRecord>
  readonly keysOf: (record: FoundRecord) => readonly string[]
}

export type ProgressListener = (done: number, total: number) => void

interface FoundRecord {
  readonly id: string
  readonly full_name: string
  readonly emails: readonly { readonly email: string }[]
}

interface ListQuery {
  readonly search?: string
  readonly per_page?: number
  readonly order_by: 'created_at'
  readonly order: 'asc'
}

const OLDEST_FIRST = { order_by: 'created_at', order: 'asc' } as const
const PAGE_SIZE = 100
const CONCURRENCY = 4
/** More pages of a search have no better match. */
const MAX_SEARCH_PAGES = 5
const MAX_SEARCH_LENGTH = 200
const MAX_SEARCH_WORDS = 40

/**
 * The ids of the records of the workspace by what they are found by. It reads all records if they have fewer pages than
 * there are keys, and otherwise searches for each key.
 */
export class RecordIndex {
  readonly #source: RecordSource
  readonly #pace: Pace
  readonly #ids = new Map<string, string>()
  readonly #known = new Set<string>()
  #hasAll = false
  #last: Promise<void> = Promise.resolve()

  constructor(source: RecordSource, pace: Pace) {
    this.#source = source
    this.#pace = pace
  }

  idOf(key: string): string | undefined {
    return this.#ids.get(key)
  }

  /** True if it is known whether there is a record of each key. */
  hasLookedFor(keys: readonly string[]): boolean {
    return this.#hasAll || keys.every((key) => this.#known.has(key) || this.#ids.has(key))
  }

  /** The oldest record of a key stays. */
  add(key: string, id: string): void {
    if (!this.#ids.has(key)) this.#ids.set(key, id)
  }

  /** Looks for the keys that were not looked for before. Concurrent calls follow each other. */
  lookFor(keys: readonly string[], onProgress: ProgressListener = () => {}): Promise<void> {
    const next = this.#last.catch(() => {}).then(() => this.#find(keys, onProgress))
    this.#last = next
    return next
  }

  async #find(keys: readonly string[], onProgress: ProgressListener): Promise<void> {
    if (this.hasLookedFor(keys)) return
    const unknown = [...new Set(keys)].filter((key) => !this.hasLookedFor([key]))
    await this.#pace.take()
    const { meta } = await this.#source.list({ ...OLDEST_FIRST, per_page: 1 })
    if (meta.total / PAGE_SIZE <= unknown.length) await this.#readAll(onProgress)
    else await this.#searchEach(unknown, onProgress)
  }

  async #readAll(onProgress: ProgressListener): Promise<void> {
    let read = 0
    for await (const { data, meta } of this.#source.list(OLDEST_FIRST).pages()) {
      this.#addAll(data)
      read += data.length
      onProgress(read, meta.total)
      await this.#pace.take()
    }
    this.#hasAll = true
  }

  async #searchEach(keys: readonly string[], onProgress: ProgressListener): Promise<void> {
    const waiting = [...keys]
    const work = async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        await this.#search(key)
        onProgress(keys.length - waiting.length, keys.length)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  }

  async #search(key: string): Promise<void> {
    const search = searchText(key)
    if (search !== '') {
      let pages = 0
      for await (const { data } of this.#source.list({ ...OLDEST_FIRST, search }).pages()) {
        await this.#pace.take()
        this.#addAll(data)
        if (this.#ids.has(key) || ++pages === MAX_SEARCH_PAGES) break
      }
    }
    this.#known.add(key)
  }

  #addAll(items: readonly FoundRecord[]): void {
    for (const item of items) for (const key of this.#source.keysOf(item)) this.add(key, item.id)
  }
}

/** The words of a key, as many as a search takes. */
function searchText(key: string): string {
  const words = key.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.slice(0, MAX_SEARCH_WORDS).join(' ').slice(0, MAX_SEARCH_LENGTH).trim()
}
