import type { Statement } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import type { Files, Line } from '../src/files.ts'
import type { Did, Happened } from './group-history.ts'
import { STATEMENTS, type Verb } from './group-programs.ts'

/** The `nth` time that a step is made it fails. */
export interface Fault {
  readonly step: Parameters<Line['run']>[0] | 'statement'
  readonly nth: number
  /** Whether the whole transaction is over with it, as it is when the disk is full. */
  readonly isOver: boolean
  readonly code: string
}

const VERBS = new Map(Object.entries(STATEMENTS).map(([verb, statement]) => [statement, verb as Verb]))

/** The files, with every step of the writer noted as it is made, and some of them failing. */
export function watchedFiles(files: Files, happened: Happened[], faults: readonly Fault[]): Files {
  const times = new Map<string, number>()
  const watched = new WeakMap<Line, Line>()
  let within: Line | undefined

  /** It may have ended by itself, or because the file was opened anew. */
  function look(): void {
    if (!within || (within.file.open && within.file.inTransaction)) return
    within = undefined
    happened.push({ at: 'ended' })
  }

  function failing({ file, run }: Line, step: Fault['step']): void {
    const nth = (times.get(step) ?? 0) + 1
    times.set(step, nth)
    const fault = faults.find((each) => each.step === step && each.nth === nth)
    if (!fault) return
    if (fault.isOver && file.inTransaction) run('rollback')
    look()
    happened.push({ at: 'failed', step, code: fault.code })
    throw new Database.SqliteError(`failed at ${step}`, fault.code)
  }

  function watch(line: Line): Line {
    const { file, connection } = line

    /** Noted when it is made; what came of it is written down as soon as that is known. */
    async function noted<T>(statement: Statement, [job, key, value]: readonly unknown[], work: () => Promise<T>): Promise<T> {
      const did: Did = {
        at: 'did',
        verb: VERBS.get(statement)!,
        job: Number(job),
        key: String(key),
        value: Number(value),
        isWithin: file.inTransaction,
        outcome: undefined,
      }
      happened.push(did)
      try {
        failing(line, 'statement')
        const result = await work()
        did.outcome = { result }
        return result
      } catch (error) {
        did.outcome = { error: error instanceof Database.SqliteError ? error.code : String(error) }
        throw error
      }
    }

    return {
      ...line,
      run(step) {
        failing(line, step)
        line.run(step)
        if (step === 'begin immediate') {
          within = line
          happened.push({ at: 'begun' })
        } else if (step === 'commit') {
          within = undefined
          happened.push({ at: 'committed', level: Number(file.pragma('synchronous', { simple: true })) })
        } else look()
      },
      connection: {
        rows: (statement, values) => noted(statement, values, () => connection.rows(statement, values)),
        run: (statement, values) => noted(statement, values, () => connection.run(statement, values)),
        async write(statement, lists) {
          for (const values of lists) await noted(statement, values, () => connection.write(statement, [values]))
        },
      },
    }
  }

  return {
    ...files,
    writer() {
      const line = files.writer()
      if (!watched.has(line)) watched.set(line, watch(line))
      look()
      return watched.get(line)!
    },
    reader() {
      const line = files.reader()
      look()
      return line
    },
  }
}
