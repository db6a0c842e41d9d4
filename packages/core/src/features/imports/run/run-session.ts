import { asService } from '../../../engine/workspace-transaction.ts'
import { CrmError } from '../../../kernel/errors.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Transaction } from '../../../ports/storage.ts'
import { importKey } from '../../../schema/import.ts'
import type { ImportRecord } from '../import-record.ts'
import type { RowResult } from '../row-result.ts'
import { announceCompletion } from './announce-completion.ts'
import { countOutcomes } from './count-outcomes.ts'
import type { ImportContext, ImportLease, ImportSession } from './import-session.ts'
import type { RowDrafts } from './row-processor.ts'
import type { RowOutcome } from './row-state.ts'
import { RowWork } from './row-work.ts'

/** Writes the rows of a file, some of them in each transaction, which saves how far it is. */
export class RunSession implements ImportSession {
  readonly importId: string
  readonly #context: ImportContext
  readonly #lease: ImportLease
  readonly #work: RowWork
  readonly #workspaceId: string

  constructor(record: ImportRecord, lease: ImportLease, context: ImportContext) {
    this.importId = record.id
    this.#workspaceId = record.workspace_id
    this.#lease = lease
    this.#context = context
    this.#work = new RowWork(record, context, false)
  }

  async step(): Promise<boolean> {
    const rows = await this.#work.next()
    if (!rows) return this.#pause('member_removed', 'The member who began the import was removed.')
    if (rows.length === 0) return this.#finish()
    const problem = await this.#findQuotaProblem(rows.length)
    if (problem !== undefined) return this.#pause('workspace_full', problem)
    const milliseconds = (await this.#write(rows, false)) ?? (await this.#write(rows, true))
    if (milliseconds === undefined) return false
    this.#work.take(rows.length, milliseconds)
    return true
  }

  async close(): Promise<void> {
    await this.#work.close()
    await this.#lease.release()
  }

  async #findQuotaProblem(rows: number): Promise<string | undefined> {
    try {
      for (let row = 0; row < rows; row += 1)
        await this.#context.quota.enforceQuota(this.#workspaceId, { kind: 'create', bytes: 0 })
    } catch (error) {
      if (error instanceof CrmError) return error.message
      throw error
    }
    return undefined
  }

  /**
   * Writes rows and the progress in one transaction. Without isolation a record that is refused refuses all. A power cut
   * undoes both, and the rows are written again.
   * @returns the milliseconds of the work; undefined for a refusal, and if the lease has ended
   */
  async #write(rows: readonly RowDrafts[], isolates: boolean): Promise<number | undefined> {
    const { processor } = this.#work
    const { storage, now } = this.#context.engine
    let until: string | null = null
    try {
      const milliseconds = await storage.transact(
        async (tx) => {
          const began = Date.parse(now())
          processor.rollback()
          const current = await this.#lease.lock(tx)
          if (current?.state !== 'running') return undefined
          const outcomes = await processor.write(rows, tx, isolates)
          const next = await this.#saveChunk(current, rows, outcomes, tx)
          until = await this.#lease.save(next, tx)
          return Date.parse(now()) - began
        },
        { durability: 'relaxed' },
      )
      if (milliseconds === undefined) return undefined
      processor.commit()
      this.#lease.extend(until)
      return milliseconds
    } catch (error) {
      if (isolates || !(error instanceof CrmError)) throw error
      return undefined
    }
  }

  async #saveChunk(
    record: ImportRecord,
    rows: readonly RowDrafts[],
    outcomes: readonly RowOutcome[],
    tx: Transaction,
  ): Promise<ImportRecord> {
    const { engine } = this.#context
    const at = engine.now()
    const results = toResults(rows, outcomes)
    if (results.length > 0)
      await asService(tx, record.workspace_id).stores.import_chunks.insert({
        id: engine.newId(),
        key: importKey(record.id, record.chunks),
        results,
        created_at: at,
        updated_at: at,
      })
    return {
      ...record,
      chunks: record.chunks + (results.length > 0 ? 1 : 0),
      progress: {
        ...record.progress,
        ...countOutcomes(record.progress, outcomes),
        done: record.progress.done + rows.length,
      },
    }
  }

  async #finish(): Promise<boolean> {
    await this.#work.close()
    await this.#end((record, at) => ({
      ...record,
      state: 'done',
      progress: { ...record.progress, ended_at: at },
    }))
    return false
  }

  async #pause(code: string, message: string): Promise<boolean> {
    await this.#work.close()
    await this.#end((record) => ({ ...record, state: 'paused', problem: { code, message, line: null } }))
    return false
  }

  async #end(change: (record: ImportRecord, at: Instant) => ImportRecord): Promise<void> {
    const { engine } = this.#context
    await engine.storage.transact(async (tx) => {
      const record = await this.#lease.lock(tx)
      if (record?.state !== 'running') return
      const ended = { ...change(record, engine.now()), due_at: null }
      await this.#lease.save(ended, tx)
      if (ended.state === 'done') await announceCompletion(ended, asService(tx, ended.workspace_id), engine)
    })
  }
}

/** Rows that have written nothing, and lost nothing, are left out. */
function toResults(rows: readonly RowDrafts[], outcomes: readonly RowOutcome[]): readonly RowResult[] {
  return outcomes.flatMap(({ written, problems }, index) => {
    if (written.length + problems.length === 0) return []
    const { row } = rows[index]!
    return [
      {
        row: row.number,
        records: written,
        problems,
        ...(problems.length > 0 && { cells: row.cells }),
      },
    ]
  })
}
