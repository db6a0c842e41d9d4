import type { Statement } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import type { DatabaseFiles, FileConnection } from '../../src/files/database-files.ts'
import type { HistoryEvent, StatementEvent } from './group-commit-history.ts'
import { STATEMENTS, type Verb } from './group-commit-programs.ts'

/** The `nth` time that a step is made it fails. */
export interface Fault {
  readonly step: Parameters<FileConnection['execute']>[0] | 'statement'
  readonly nth: number
  /** Whether the whole transaction is over with it, as it is when the disk is full. */
  readonly isOver: boolean
  readonly code: string
}

const VERBS = new Map(Object.entries(STATEMENTS).map(([verb, statement]) => [statement, verb as Verb]))

/** The files, with every step of the writer noted as it is made, and some of them failing. */
export function recordFiles(
  files: DatabaseFiles,
  history: HistoryEvent[],
  faults: readonly Fault[],
): DatabaseFiles {
  const counts = new Map<string, number>()
  const recorded = new WeakMap<FileConnection, FileConnection>()
  let openConnection: FileConnection | undefined

  /** It may have ended by itself, or because the file was opened anew. */
  function noteEnd(): void {
    if (!openConnection || (openConnection.db.open && openConnection.db.inTransaction)) return
    openConnection = undefined
    history.push({ at: 'ended' })
  }

  function failIfPlanned({ db: file, execute: run }: FileConnection, step: Fault['step']): void {
    const nth = (counts.get(step) ?? 0) + 1
    counts.set(step, nth)
    const fault = faults.find((each) => each.step === step && each.nth === nth)
    if (!fault) return
    if (fault.isOver && file.inTransaction) run('rollback')
    noteEnd()
    history.push({ at: 'failed', step, code: fault.code })
    throw new Database.SqliteError(`failed at ${step}`, fault.code)
  }

  function recordConnection(fileConnection: FileConnection): FileConnection {
    const { db: file, connection } = fileConnection

    /** Noted when it is made; what came of it is written down as soon as that is known. */
    async function recordStatement<T>(
      statement: Statement,
      [job, key, value]: readonly unknown[],
      work: () => Promise<T>,
    ): Promise<T> {
      const event: StatementEvent = {
        at: 'did',
        verb: VERBS.get(statement)!,
        job: Number(job),
        key: String(key),
        value: Number(value),
        isWithin: file.inTransaction,
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
    ...files,
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
