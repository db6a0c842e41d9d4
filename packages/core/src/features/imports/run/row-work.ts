import { asService } from '../../../engine/workspace-transaction.ts'
import type { ImportRecord } from '../import-record.ts'
import { ChunkSize } from './chunk-size.ts'
import { type ImportContext, loadImportActor } from './import-session.ts'
import { type RowDrafts, RowProcessor } from './row-processor.ts'
import { RowSource } from './row-source.ts'

/** Milliseconds after which settings are read again, since others change them. */
const SETTINGS_AGE_MS = 5000

/** The rows of an import that are next, and what turns them into records. */
export class RowWork {
  readonly #record: ImportRecord
  readonly #context: ImportContext
  readonly #isCheck: boolean
  readonly #size = new ChunkSize()
  #source: RowSource | undefined
  #processor: RowProcessor | undefined
  #loadedAt = 0

  constructor(record: ImportRecord, context: ImportContext, isCheck: boolean) {
    this.#record = record
    this.#context = context
    this.#isCheck = isCheck
  }

  /** There once `next` has returned rows. */
  get processor(): RowProcessor {
    return this.#processor!
  }

  /** The next rows, none at the end; undefined if the member who began the import was removed. */
  async next(): Promise<readonly RowDrafts[] | undefined> {
    const { engine, rules } = this.#context
    const now = Date.parse(engine.now())
    if (!this.#processor || Math.abs(now - this.#loadedAt) >= SETTINGS_AGE_MS) {
      const actor = await engine.storage.read((tx) => loadImportActor(this.#record, tx))
      if (!actor) return undefined
      this.#processor ??= new RowProcessor(engine, rules, this.#record, actor, this.#isCheck)
      await engine.storage.read((tx) => this.processor.load(asService(tx, this.#record.workspace_id)))
      this.#loadedAt = now
    }
    this.#source ??= await this.#openSource()
    return this.#processor.read(await this.#source.peek(this.#size.rows))
  }

  /** The rows are done, in a transaction of that many milliseconds. */
  take(count: number, milliseconds: number): void {
    this.#size.adapt(count, milliseconds)
    this.#source!.take(count)
  }

  async close(): Promise<void> {
    await this.#source?.close()
  }

  async #openSource(): Promise<RowSource> {
    const source = await RowSource.open(this.#record, this.#context.engine)
    if (!this.#isCheck) await source.skip(this.#record.progress.done)
    return source
  }
}
