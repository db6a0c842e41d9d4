import type { Corrections } from '../rows/read-rows.ts'
import { NO_PROGRESS, type Progress } from '../run/progress.ts'
import type { Encoding } from '../sheet/decode-text.ts'
import { ValueStore } from './value-store.ts'

export interface ImportFile {
  readonly name: string
  readonly text: string
  readonly encoding: Encoding | undefined
}

export type ImportStep = 'columns' | 'review' | 'run'

/** What was chosen for a file. */
export interface ImportSettings {
  /** Part of the idempotency keys. */
  readonly id: string
  readonly step: ImportStep
  /** The id of a target for each column. */
  readonly targets: readonly (string | undefined)[]
  readonly corrections: Corrections
  /** True if records that are there are changed. */
  readonly updates: boolean
  readonly tagId?: string | undefined
  readonly listId?: string | undefined
  /** Of the new records for which the file has none. */
  readonly ownerId?: string | undefined
}

export interface SavedImport {
  readonly file: ImportFile
  readonly settings: ImportSettings
  readonly progress: Progress
}

const DATABASE = 'console.imports'
const PARTS = ['file', 'settings', 'progress'] as const

/** Keeps an unfinished import in the browser: one for each kind and member of a workspace. */
export class ImportStorage {
  readonly #values: ValueStore
  readonly #key: string
  readonly #onError: () => void

  /** @param onError called when the browser keeps nothing, as in some private windows */
  constructor(key: string, onError: () => void) {
    this.#values = new ValueStore(DATABASE)
    this.#key = key
    this.#onError = onError
  }

  async load(): Promise<SavedImport | undefined> {
    const [file, settings, progress] = await Promise.all([
      this.#values.read<ImportFile>(`${this.#key}.file`),
      this.#values.read<ImportSettings>(`${this.#key}.settings`),
      this.#values.read<Progress>(`${this.#key}.progress`),
    ])
    return file && settings && { file, settings, progress: progress ?? NO_PROGRESS }
  }

  async save<Part extends (typeof PARTS)[number]>(part: Part, value: SavedImport[Part]): Promise<void> {
    await this.#values.write(`${this.#key}.${part}`, value).catch(this.#onError)
  }

  async delete(): Promise<void> {
    await Promise.all(PARTS.map((part) => this.#values.delete(`${this.#key}.${part}`))).catch(this.#onError)
  }
}

/** Forgets the unfinished imports of all members. A browser that keeps nothing has none. */
export async function deleteImports(): Promise<void> {
  await new ValueStore(DATABASE).clear().catch(() => {})
}
