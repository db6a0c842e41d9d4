import { setImmediate } from 'node:timers/promises'
import type { Connection } from '@sales-crm/sql'
import fc from 'fast-check'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { openFiles } from '../src/files.ts'
import { groupCommit } from '../src/group-commit.ts'
import { type Happened, mustBeSerial } from './group-history.ts'
import { ALL, type Arrival, arrivals, type Change, faults, type Program, STATEMENTS, TABLE } from './group-programs.ts'
import { freshPath } from './harness.ts'
import { type Fault, watchedFiles } from './watched-files.ts'

/** After each step that is let go the event loop turns, so that groups begin and end between any two of them. */
const TURNING = {
  act: async (step: () => Promise<void>) => {
    await step()
    await setImmediate()
  },
}
const HELD_MS = 25

let now = 0
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

function opened() {
  const files = openFiles(freshPath())
  files.writer().file.exec(TABLE)
  return files
}

/** Has all of them arrive and be answered, in an order that the scheduler makes, and notes what happens. */
async function run(
  files: ReturnType<typeof opened>,
  s: fc.Scheduler,
  arriving: readonly Arrival[],
  failing: readonly Fault[],
  readers = 0,
) {
  const happened: Happened[] = []
  const watched = watchedFiles(files, happened, failing)
  const group = groupCommit(watched)
  files.writer().file.exec('delete from notes')
  let jobs = 0
  let given = 0

  function look(): void {
    const notes = watched.reader().file.prepare(ALL).raw().all() as [string, number][]
    happened.push({ at: 'read', notes })
  }

  function made({ rows, run, write }: Connection, job: number, { do: verb, key }: Change): Promise<unknown> {
    given += 1
    const values = [job, key, given]
    if (verb === 'read') return rows(STATEMENTS.read, values)
    return verb === 'insert' ? write(STATEMENTS.insert, [values]) : run(STATEMENTS[verb], values)
  }

  async function together(connection: Connection, job: number, changes: readonly Change[]): Promise<void> {
    const outcomes = await Promise.allSettled(changes.map((change) => made(connection, job, change)))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }

  async function steps(connection: Connection, job: number, { steps, catches, stray, throws }: Program): Promise<number> {
    for (const step of steps) {
      try {
        if (step.do === 'turn') await s.schedule(Promise.resolve(), `turn of ${job}`)
        else if (step.do === 'hold') now += HELD_MS
        else if (step.do === 'look') look()
        else if (step.do === 'together') await together(connection, job, step.changes)
        else if (step.do === 'part') await connection.attempt(() => part(connection, job, step.steps, step.throws))
        else await made(connection, job, step)
      } catch (error) {
        if (!catches) throw error
      }
    }
    if (stray) made(connection, job, stray).catch(() => undefined)
    if (throws) throw new Error('no')
    return job
  }

  async function part(connection: Connection, job: number, changes: readonly Change[], throws: boolean): Promise<void> {
    happened.push({ at: 'part', job })
    try {
      for (const change of changes) await made(connection, job, change)
      if (throws) throw new Error('no')
      happened.push({ at: 'part over', job, threw: false })
    } catch (error) {
      happened.push({ at: 'part over', job, threw: true })
      throw error
    }
  }

  async function worked(connection: Connection, job: number, program: Program): Promise<number> {
    happened.push({ at: 'started', job })
    try {
      const answer = await steps(connection, job, program)
      happened.push({ at: 'finished', job, threw: false })
      return answer
    } catch (error) {
      happened.push({ at: 'finished', job, threw: true })
      throw error
    }
  }

  function ask(program: Program): Promise<unknown> {
    jobs += 1
    const job = jobs
    const { isSynced } = program
    happened.push({ at: 'asked', job, isSynced })
    const begin = isSynced ? group.transact : group.transactUnsynced
    return begin((connection) => worked(connection, job, program)).then(
      (answer) => happened.push({ at: 'answered', job, answer }),
      () => happened.push({ at: 'answered', job, answer: undefined }),
    )
  }

  const arrived = arriving.map(async (programs, nth) => {
    await s.schedule(Promise.resolve(), `arrival ${nth}`)
    await Promise.all(programs.map(ask))
  })
  const looked = Array.from({ length: readers }, () => s.schedule(Promise.resolve(), 'a reader').then(look))
  await s.waitFor(Promise.all([...arrived, ...looked]))
  await group.idle()
  look()
  return happened
}

test('whatever arrives, in whatever order, waits, fails and is cut off by the disk, it is as if one ran after another', async () => {
  const files = opened()
  await fc.assert(
    fc.asyncProperty(fc.scheduler(TURNING), arrivals, faults, fc.nat(3), async (s, arriving, failing, readers) => {
      mustBeSerial(await run(files, s, arriving, failing, readers))
    }),
    { numRuns: 250, timeout: 2000 },
  )
  files.close()
})

test('of more than a group holds each group is kept or lost for itself', async () => {
  const files = opened()
  const blank = { steps: [], stray: undefined, throws: false, catches: false }
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(TURNING),
      fc.array(fc.boolean(), { minLength: 250, maxLength: 300 }),
      faults,
      async (s, synced, failing) => {
        const crowd = synced.map((isSynced) => ({ ...blank, isSynced, steps: [{ do: 'update', key: 'a' }] as const }))
        const first = { ...blank, isSynced: false, steps: [{ do: 'insert', key: 'a' }, { do: 'turn' }] as const }
        mustBeSerial(await run(files, s, [[first], crowd, crowd], failing, 3))
      },
    ),
    { numRuns: 10, timeout: 2000 },
  )
  files.close()
})
