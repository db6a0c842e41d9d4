import { CrmError } from '../../../kernel/errors.ts'
import { NEW_PROGRESS } from '../import-defaults.ts'
import type { ImportProgress, ImportRecord } from '../import-record.ts'
import { CheckCollector } from './check-collector.ts'
import type { ImportContext, ImportLease, ImportSession } from './import-session.ts'
import type { RowDrafts } from './row-processor.ts'
import type { RowOutcome } from './row-state.ts'
import { RowWork } from './row-work.ts'

/** Thrown to roll back what a check has written. */
class RollbackError extends Error {}

/** Steps between two saves of the progress. */
const SAVE_INTERVAL = 20

/** Writes all rows in transactions that are rolled back, and reports what would be. */
export class CheckSession implements ImportSession {
  readonly importId: string
  readonly #context: ImportContext
  readonly #lease: ImportLease
  readonly #work: RowWork
  readonly #collector = new CheckCollector()
  readonly #workspaceId: string
  #steps = 0

  constructor(record: ImportRecord, lease: ImportLease, context: ImportContext) {
    this.importId = record.id
    this.#workspaceId = record.workspace_id
    this.#context = context
    this.#lease = lease
    this.#work = new RowWork(record, context, true)
  }

  async step(): Promise<boolean> {
    const { engine } = this.#context
    const rows = await this.#work.next()
    if (!rows) return this.#save({ state: 'ready', due_at: null })
    if (rows.length === 0) return this.#finish()
    const began = Date.parse(engine.now())
    const outcomes = (await this.#write(rows, false)) ?? (await this.#write(rows, true))!
    this.#collector.add(rows, outcomes)
    this.#work.processor.commit()
    this.#work.take(rows.length, Date.parse(engine.now()) - began)
    this.#steps += 1
    if (this.#steps % SAVE_INTERVAL !== 0) return true
    return this.#save({ progress: { done: this.#collector.rows } })
  }

  async close(): Promise<void> {
    await this.#work.close()
    await this.#lease.release()
  }

  /** @returns undefined if a record was refused, and records are not isolated */
  async #write(rows: readonly RowDrafts[], isolates: boolean): Promise<readonly RowOutcome[] | undefined> {
    const { processor } = this.#work
    let outcomes: readonly RowOutcome[] | undefined
    try {
      await this.#context.engine.storage.transact(async (tx) => {
        processor.rollback()
        outcomes = await processor.write(rows, tx, isolates)
        throw new RollbackError()
      })
    } catch (error) {
      const isExpected = error instanceof RollbackError || (!isolates && error instanceof CrmError)
      if (!isExpected) throw error
      return error instanceof RollbackError ? outcomes : undefined
    }
    return undefined
  }

  async #finish(): Promise<boolean> {
    await this.#work.close()
    const { storage, quota } = this.#context.engine
    const size = await storage.read((tx) => tx.measureWorkspace(this.#workspaceId))
    const report = this.#collector.report((quota?.records ?? Number.POSITIVE_INFINITY) - size.records)
    return this.#save({ state: 'checked', report, due_at: null, progress: { done: this.#collector.rows } })
  }

  async #save(
    changes: Partial<Pick<ImportRecord, 'state' | 'report' | 'due_at'>> & {
      readonly progress?: Partial<ImportProgress>
    },
  ): Promise<boolean> {
    let until: string | null = null
    const isSaved = await this.#context.engine.storage.transact(async (tx) => {
      const record = await this.#lease.lock(tx)
      if (record?.state !== 'checking') return false
      const progress = { ...NEW_PROGRESS, ...record.progress, ...changes.progress }
      until = await this.#lease.save({ ...record, ...changes, progress }, tx)
      return changes.due_at !== null
    })
    this.#lease.extend(until)
    return isSaved
  }
}
