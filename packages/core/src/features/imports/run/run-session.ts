import { asService } from '../../../engine/workspace-transaction.ts'
import { CrmError } from '../../../kernel/errors.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { MIN_LONG_TEXT_BYTES } from '../../../kernel/workspace-size.ts'
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

/** Of UTF-8, for a unit of a string. */
const MAX_BYTES_PER_UNIT = 3

/** Rolls back rows that create more records than the workspace has room for. */
class FullWorkspaceError extends Error {}

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
    try {
      const room = await this.#measureRoom(rows)
      const milliseconds = (await this.#write(rows, room, false)) ?? (await this.#write(rows, room, true))
      if (milliseconds === undefined) return false
      this.#work.take(rows.length, milliseconds)
      return true
    } catch (error) {
      if (!(error instanceof FullWorkspaceError)) throw error
      return this.#pause('workspace_full', error.message)
    }
  }

  async close(): Promise<void> {
    await this.#work.close()
    await this.#lease.release()
  }

  /**
   * Returns how many records the rows may create. Rows whose records are there need room for their texts alone.
   * @throws FullWorkspaceError if the workspace takes no texts
   */
  async #measureRoom(rows: readonly RowDrafts[]): Promise<number> {
    const { quota } = this.#context
    try {
      await quota.enforceQuota(this.#workspaceId, { kind: 'update', bytes: measureLongTexts(rows) })
    } catch (error) {
      if (error instanceof CrmError) throw new FullWorkspaceError(error.message)
      throw error
    }
    const records = rows.reduce((sum, { drafts }) => sum + drafts.length, 0)
    return quota.measureRoom(this.#workspaceId, records)
  }

  /**
   * Writes rows and the progress in one transaction. Without isolation a record that is refused refuses all. A power cut
   * undoes both, and the rows are written again.
   * @param room records that may be created
   * @returns the milliseconds of the work; undefined for a refusal, and if the lease has ended
   * @throws FullWorkspaceError
   */
  async #write(rows: readonly RowDrafts[], room: number, isolates: boolean): Promise<number | undefined> {
    const { processor } = this.#work
    const { quota, engine } = this.#context
    const { storage, now } = engine
    let until: string | null = null
    let created = 0
    try {
      const milliseconds = await storage.transact(
        async (tx) => {
          const began = Date.parse(now())
          processor.rollback()
          const current = await this.#lease.lock(tx)
          if (current?.state !== 'running') return undefined
          const outcomes = await processor.write(rows, tx, isolates)
          created = countCreated(outcomes)
          if (created > room) throw new FullWorkspaceError(quota.recordsProblem)
          const next = await this.#saveChunk(current, rows, outcomes, tx)
          until = await this.#lease.save(next, tx)
          return Date.parse(now()) - began
        },
        { durability: 'relaxed' },
      )
      if (milliseconds === undefined) return undefined
      processor.commit()
      await quota.addRecords(this.#workspaceId, created)
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

/** Returns an upper bound of the bytes of texts that count in those of the workspace. */
function measureLongTexts(rows: readonly RowDrafts[]): number {
  return rows
    .flatMap(({ row }) => row.cells.map(({ length }) => length * MAX_BYTES_PER_UNIT))
    .filter((bytes) => bytes >= MIN_LONG_TEXT_BYTES)
    .reduce((sum, bytes) => sum + bytes, 0)
}

function countCreated(outcomes: readonly RowOutcome[]): number {
  return outcomes.flatMap(({ written }) => written).filter(({ action }) => action === 'created').length
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
