import { setImmediate } from 'node:timers/promises'
import type { Connection } from '@sales-crm/sql'
import fc from 'fast-check'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { DatabaseFiles } from '../../src/files/database-files.ts'
import { GroupCommit } from '../../src/transactions/group-commit.ts'
import { createTempPath } from '../harness.ts'
import { assertSerial, type HistoryEvent } from './group-commit-history.ts'
import {
  ALL,
  type Arrival,
  arrivals,
  type Change,
  faults,
  type Program,
  STATEMENTS,
  TABLE,
} from './group-commit-programs.ts'
import { type Fault, recordFiles } from './recorded-files.ts'

/** Turns the event loop after each scheduled step, so that groups begin and end between steps. */
const YIELDING = {
  act: async (step: () => Promise<void>) => {
    await step()
    await setImmediate()
  },
}
const BLOCK_MS = 25

let now = 0
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

function openTestFiles() {
  const files = new DatabaseFiles(createTempPath())
  files.writer().db.exec(TABLE)
  return files
}

/** Runs all arrivals in an order that the scheduler chooses, and records their history. */
async function run(
  files: ReturnType<typeof openTestFiles>,
  s: fc.Scheduler,
  arrivals: readonly Arrival[],
  faults: readonly Fault[],
  readers = 0,
) {
  const history: HistoryEvent[] = []
  const recorded = recordFiles(files, history, faults)
  const group = new GroupCommit(recorded)
  files.writer().db.exec('delete from notes')
  let jobs = 0
  let sequence = 0

  function readAll(): void {
    const notes = recorded.reader().db.prepare(ALL).raw().all() as [string, number][]
    history.push({ at: 'read', notes })
  }

  function runChange(
    { query, execute, executeMany }: Connection,
    job: number,
    { do: kind, key }: Change,
  ): Promise<unknown> {
    sequence += 1
    const values = [job, key, sequence]
    if (kind === 'read') return query(STATEMENTS.read, values)
    return kind === 'insert' ? executeMany(STATEMENTS.insert, [values]) : execute(STATEMENTS[kind], values)
  }

  async function runTogether(connection: Connection, job: number, changes: readonly Change[]): Promise<void> {
    const outcomes = await Promise.allSettled(changes.map((change) => runChange(connection, job, change)))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }

  async function runSteps(
    connection: Connection,
    job: number,
    { steps, catches, stray, throws }: Program,
  ): Promise<number> {
    for (const step of steps) {
      try {
        if (step.do === 'yield') await s.schedule(Promise.resolve(), `yield of ${job}`)
        else if (step.do === 'block') now += BLOCK_MS
        else if (step.do === 'read all') readAll()
        else if (step.do === 'together') await runTogether(connection, job, step.changes)
        else if (step.do === 'savepoint')
          await connection.savepoint(() => runSavepoint(connection, job, step.steps, step.throws))
        else await runChange(connection, job, step)
      } catch (error) {
        if (!catches) throw error
      }
    }
    if (stray) runChange(connection, job, stray).catch(() => undefined)
    if (throws) throw new Error('no')
    return job
  }

  async function runSavepoint(
    connection: Connection,
    job: number,
    changes: readonly Change[],
    throws: boolean,
  ): Promise<void> {
    history.push({ at: 'savepoint started', job })
    try {
      for (const change of changes) await runChange(connection, job, change)
      if (throws) throw new Error('no')
      history.push({ at: 'savepoint ended', job, threw: false })
    } catch (error) {
      history.push({ at: 'savepoint ended', job, threw: true })
      throw error
    }
  }

  async function runJob(connection: Connection, job: number, program: Program): Promise<number> {
    history.push({ at: 'started', job })
    try {
      const result = await runSteps(connection, job, program)
      history.push({ at: 'finished', job, threw: false })
      return result
    } catch (error) {
      history.push({ at: 'finished', job, threw: true })
      throw error
    }
  }

  function submit(program: Program): Promise<unknown> {
    jobs += 1
    const job = jobs
    const { isSynced } = program
    history.push({ at: 'submitted', job, isSynced })
    const options = isSynced ? {} : { durability: 'relaxed' as const }
    return group
      .transact((connection) => runJob(connection, job, program), options)
      .then(
        (result) => history.push({ at: 'settled', job, result }),
        () => history.push({ at: 'settled', job, result: undefined }),
      )
  }

  const arrivalsDone = arrivals.map(async (programs, nth) => {
    await s.schedule(Promise.resolve(), `arrival ${nth}`)
    await Promise.all(programs.map(submit))
  })
  const readsDone = Array.from({ length: readers }, () =>
    s.schedule(Promise.resolve(), 'a reader').then(readAll),
  )
  await s.waitFor(Promise.all([...arrivalsDone, ...readsDone]))
  await group.waitUntilIdle()
  readAll()
  return history
}

test('transactions in any order, with failures and disk faults, behave as if run one at a time', async () => {
  const files = openTestFiles()
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(YIELDING),
      arrivals,
      faults,
      fc.nat(3),
      async (s, arrivals, faults, readers) => {
        assertSerial(await run(files, s, arrivals, faults, readers))
      },
    ),
    { numRuns: 250, timeout: 2000 },
  )
  files.close()
})

test('groups commit or fail independently when the queue exceeds the group limit', async () => {
  const files = openTestFiles()
  const emptyProgram = { steps: [], stray: undefined, throws: false, catches: false }
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(YIELDING),
      fc.array(fc.boolean(), { minLength: 250, maxLength: 300 }),
      faults,
      async (s, synced, faults) => {
        const batch = synced.map((isSynced) => ({
          ...emptyProgram,
          isSynced,
          steps: [{ do: 'update', key: 'a' }] as const,
        }))
        const first = {
          ...emptyProgram,
          isSynced: false,
          steps: [{ do: 'insert', key: 'a' }, { do: 'yield' }] as const,
        }
        assertSerial(await run(files, s, [[first], batch, batch], faults, 3))
      },
    ),
    { numRuns: 10, timeout: 2000 },
  )
  files.close()
})
