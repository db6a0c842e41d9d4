import type { Engine } from '../../../engine/extension.ts'
import { asService, type WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import { type Table, TableError } from '../../../ports/tables.ts'
import { findOwnKind } from '../columns/own-export.ts'
import { findFileKind } from '../columns/propose-columns.ts'
import { detectSystem, OWN_SYSTEM } from '../columns/systems.ts'
import { ColumnScan } from '../file/column-scan.ts'
import { openTable } from '../file/read-file.ts'
import { NEW_PROGRESS } from '../import-defaults.ts'
import type { ImportRecord } from '../import-record.ts'
import { findDateOrder } from '../values/date.ts'
import { findNumberFormat } from '../values/number.ts'
import type { ImportLease, ImportSession } from './import-session.ts'

/** Rows that are read without a turn for others. */
const STEP_ROWS = 200

/** Reads a whole file once: its columns, their formats, and whether every row can be read. */
export class ScanSession implements ImportSession {
  readonly importId: string
  readonly #lease: ImportLease
  readonly #record: ImportRecord
  readonly #engine: Engine
  #table: Table | undefined
  #rows: AsyncIterator<{ readonly cells: readonly string[] }> | undefined
  #scan: ColumnScan | undefined

  constructor(record: ImportRecord, lease: ImportLease, engine: Engine) {
    this.importId = record.id
    this.#record = record
    this.#lease = lease
    this.#engine = engine
  }

  async step(): Promise<boolean> {
    try {
      if (!(await this.#readRows())) return await this.#saveProgress()
      await this.#finish()
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      const { rule: code, message, line = null } = error
      await this.#save((record) => ({
        ...record,
        state: 'unreadable',
        problem: { code, message, line },
        due_at: null,
      }))
    }
    return false
  }

  async close(): Promise<void> {
    await this.#rows?.return?.()
    await this.#lease.release()
  }

  /** Returns true at the end of the file. @throws TableError */
  async #readRows(): Promise<boolean> {
    if (!this.#table) {
      this.#table = await openTable(this.#record, this.#engine)
      this.#rows = this.#table.rows[Symbol.asyncIterator]()
      this.#scan = new ColumnScan(this.#table.columns)
    }
    for (let count = 0; count < STEP_ROWS; count += 1) {
      const { done, value } = await this.#rows!.next()
      if (done) return true
      this.#scan!.add(value.cells)
    }
    return false
  }

  /** Every ten thousand rows. */
  async #saveProgress(): Promise<boolean> {
    const { rows } = this.#scan!
    if (rows % 10_000 !== 0) return true
    return this.#save((record) => ({ ...record, progress: { ...record.progress, done: rows } }))
  }

  async #finish(): Promise<void> {
    const table = this.#table!
    const scan = this.#scan!
    if (scan.rows === 0) throw new TableError('empty', 'The file has no rows below its header.')
    await this.#save(async (record, transaction) => {
      const [workspace, customFields] = await Promise.all([
        transaction.shared.workspaces.get(record.workspace_id),
        transaction.stores.custom_fields.find([]),
      ])
      const locale = workspace?.locale ?? 'en'
      const { encoding, delimiter } = table
      return {
        ...record,
        state: 'ready',
        columns: scan.describe(customFields, record.options.kind, {
          numberFormat: findNumberFormat(locale),
          dateOrder: findDateOrder(locale),
        }),
        progress: {
          ...NEW_PROGRESS,
          rows: scan.rows,
          encoding: encoding.encoding,
          is_encoding_guess: encoding.isGuess,
          delimiter: delimiter ?? null,
          system: findOwnKind(table.columns) ? OWN_SYSTEM : (detectSystem(table.columns) ?? null),
          kind: findFileKind(table.columns),
        },
        problem: null,
        due_at: null,
      }
    })
  }

  async #save(
    change: (record: ImportRecord, transaction: WorkspaceTransaction) => ImportRecord | Promise<ImportRecord>,
  ): Promise<boolean> {
    let until: string | null = null
    const isSaved = await this.#engine.storage.transact(async (tx) => {
      const record = await this.#lease.lock(tx)
      if (!record) return false
      const changed = await change(record, asService(tx, record.workspace_id))
      until = await this.#lease.save(changed, tx)
      return changed.due_at !== null
    })
    this.#lease.extend(until)
    return isSaved
  }
}
