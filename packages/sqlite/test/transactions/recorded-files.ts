import type { Statement } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import type { DatabaseFiles } from '../../src/files/database-files.ts'
import type { FileConnection } from '../../src/files/file-connection.ts'
import type { WriterFiles } from '../../src/transactions/group-commit.ts'
import type { HistoryEvent, StatementEvent } from './group-commit-history.ts'
import { STATEMENTS, type StatementKind } from './group-commit-programs.ts'

/** Fails the `nth` execution of a step. */
export interface Fault {
  readonly step: Parameters<FileConnection['execute']>[0] | 'statement'
  readonly nth: number
  /** Ends the whole transaction, as a full disk does. */
  readonly endsTransaction: boolean
  readonly code: string
}

const KINDS = new Map(
  Object.entries(STATEMENTS).map(([kind, statement]) => [statement, kind as StatementKind]),
)

type RecordedFiles = WriterFiles & Pick<DatabaseFiles, 'reader'>

/** Wraps the files: records every step of the writer and injects the faults. */
export function recordFiles(
  files: RecordedFiles,
  history: HistoryEvent[],
  faults: readonly Fault[],
): RecordedFiles {
  const counts = new Map<string, number>()
  const recorded = new WeakMap<FileConnection, FileConnection>()
  let openConnection: FileConnection | undefined

  /** Records the end of a transaction that SQLite ended or that ended with a reopened file. */
  function noteEnd(): void {
    if (!openConnection || (openConnection.db.open && openConnection.db.inTransaction)) return
    openConnection = undefined
    history.push({ at: 'ended' })
  }

  function failIfPlanned({ db: file, execute }: FileConnection, step: Fault['step']): void {
    const nth = (counts.get(step) ?? 0) + 1
    counts.set(step, nth)
    const fault = faults.find((each) => each.step === step && each.nth === nth)
    if (!fault) return
    if (fault.endsTransaction && file.inTransaction) execute('rollback')
    noteEnd()
    history.push({ at: 'failed', step, code: fault.code })
    throw new Database.SqliteError(`failed at ${step}`, fault.code)
  }

  function recordConnection(fileConnection: FileConnection): FileConnection {
    const { db: file, connection } = fileConnection

    /** Records the statement before it runs; its outcome is filled in later. */
    async function recordStatement<T>(
      statement: Statement,
      [job, key, value]: readonly unknown[],
      work: () => Promise<T>,
    ): Promise<T> {
      const event: StatementEvent = {
        at: 'statement',
        kind: KINDS.get(statement)!,
        job: Number(job),
        key: String(key),
        value: Number(value),
        inTransaction: file.inTransaction,
        outcome: undefined,
      }
      history.push(event)
      try {
        failIfPlanned(fileConnection, 'statement')
        const result = await work()
        event.outcome = { result }
        return result
      } catch (error) {
        event.outcome = { error: error instanceof Database.SqliteError ? error.code : String(error) }
        throw error
      }
    }

    return {
      ...fileConnection,
      execute(step) {
        failIfPlanned(fileConnection, step)
        fileConnection.execute(step)
        if (step === 'begin immediate') {
          openConnection = fileConnection
          history.push({ at: 'begun' })
        } else if (step === 'commit') {
          openConnection = undefined
          history.push({ at: 'committed', level: Number(file.pragma('synchronous', { simple: true })) })
        } else noteEnd()
      },
      connection: {
        query: (statement, values) =>
          recordStatement(statement, values, () => connection.query(statement, values)),
        execute: (statement, values) =>
          recordStatement(statement, values, () => connection.execute(statement, values)),
        async executeMany(statement, lists) {
          for (const values of lists)
            await recordStatement(statement, values, () => connection.executeMany(statement, [values]))
        },
      },
    }
  }

  return {
    noteError: (error) => files.noteError(error),
    assertLogKept: () => files.assertLogKept(),
    freeBytes: () => files.freeBytes(),
    isLogLong: () => files.isLogLong(),
    checkpoint: () => files.checkpoint(),
    writer() {
      const connection = files.writer()
      if (!recorded.has(connection)) recorded.set(connection, recordConnection(connection))
      noteEnd()
      return recorded.get(connection)!
    },
    reader() {
      const connection = files.reader()
      noteEnd()
      return connection
    },
  }
}
