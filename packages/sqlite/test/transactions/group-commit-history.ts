import type { Verb } from './group-commit-programs.ts'

/** A statement that reached the database. */
export interface StatementEvent {
  readonly at: 'did'
  readonly verb: Verb
  readonly job: number
  readonly key: string
  readonly value: number
  /** Whether a transaction was open. */
  readonly isWithin: boolean
  outcome: { readonly result: unknown } | { readonly error: string } | undefined
}

/**
 * What was seen of a run, in the order it happened: by those who asked, by the work, and between it and the
 * database.
 */
export type HistoryEvent =
  | StatementEvent
  | { readonly at: 'asked'; readonly job: number; readonly isSynced: boolean }
  | { readonly at: 'answered'; readonly job: number; readonly answer: number | undefined }
  | { readonly at: 'started' | 'part'; readonly job: number }
  | { readonly at: 'finished' | 'part over'; readonly job: number; readonly threw: boolean }
  | { readonly at: 'read'; readonly notes: readonly (readonly [key: string, value: number])[] }
  | { readonly at: 'begun' | 'ended' }
  | { readonly at: 'committed'; readonly level: number }
  | { readonly at: 'failed'; readonly step: string; readonly code: string }

type Notes = ReadonlyMap<string, number>

interface Group {
  /** What is committed, and what those of the group wrote that did not fail. */
  notes: Notes
  readonly jobs: Job[]
  /** A part met a fault of the disk. */
  isBroken: boolean
}

interface Job {
  readonly job: number
  notes: Notes
  /** What was there before the part that runs, or ran last. */
  beforePart: Notes | undefined
  isPartOpen: boolean
  state: 'running' | 'done' | 'failed'
}

const FULL = 2
/** A taken key, or a fault that was made. */
const EXPECTED = /^SQLITE_(CONSTRAINT|FULL|IOERR|BUSY)/
const DISK_CODES = /^SQLITE_(FULL|IOERR)/

/** @throws Error that says what happened which must not, and when */
export function assertSerial(history: readonly HistoryEvent[]): void {
  const synced = new Set<number>()
  const waiting: number[] = []
  const begun: number[] = []
  const kept = new Map<number, 'kept' | 'lost'>()
  const answered: number[] = []
  let committed: Notes = new Map()
  let group: Group | undefined
  let current: Job | undefined
  let last = 0

  for (const [index, event] of history.entries()) {
    const assertRule = (isSo: boolean, rule: string) => {
      if (!isSo)
        throw new Error(
          `${rule}\nat ${index}: ${JSON.stringify(event)} of\n${history.map((one) => JSON.stringify(one)).join('\n')}`,
        )
    }
    switch (event.at) {
      case 'asked':
        waiting.push(event.job)
        if (event.isSynced) synced.add(event.job)
        break
      case 'begun':
        loseGroup()
        group = { notes: committed, jobs: [], isBroken: false }
        break
      case 'started':
        mergeCurrent()
        assertRule(event.job === waiting.shift(), 'Work begins in the order it was asked for.')
        begun.push(event.job)
        current = {
          job: event.job,
          notes: group?.notes ?? committed,
          beforePart: undefined,
          isPartOpen: false,
          state: 'running',
        }
        group?.jobs.push(current)
        break
      case 'did':
        assertRule(event.job === current?.job, 'A statement runs in its own transaction alone.')
        assertRule(event.value > last, 'Statements keep their order.')
        last = event.value
        applyStatement(event, assertRule)
        break
      case 'part':
        assertRule(event.job === current?.job, 'A part runs in its own transaction alone.')
        Object.assign(current!, { beforePart: current!.notes, isPartOpen: true })
        break
      case 'part over':
        if (current?.beforePart && event.threw) current.notes = current.beforePart
        if (current) current.isPartOpen = false
        break
      case 'finished':
        assertRule(event.job === current?.job, 'One runs after another.')
        current!.state = event.threw ? 'failed' : 'done'
        break
      case 'failed':
        if (current && event.step === 'release job') current.state = 'failed'
        if (current?.beforePart && event.step === 'release part') current.notes = current.beforePart
        if (event.step === 'begin immediate' && event.code !== 'SQLITE_BUSY') neverBegin(waiting.length)
        if (event.step === 'savepoint job') neverBegin(1)
        if (group && current?.isPartOpen && event.step === 'statement')
          group.isBroken ||= DISK_CODES.test(event.code)
        break
      case 'ended':
        loseGroup()
        break
      case 'committed': {
        mergeCurrent()
        assertRule(group !== undefined, 'A commit ends what has begun.')
        assertRule(!group!.isBroken, 'Nothing is kept beside a part that met a fault of the disk.')
        const { jobs, notes } = group!
        assertRule(
          event.level === FULL || !jobs.some(({ job }) => synced.has(job)),
          'What is to be synced waits for the disk.',
        )
        for (const { job, state } of jobs) kept.set(job, state === 'done' ? 'kept' : 'lost')
        committed = notes
        group = undefined
        current = undefined
        break
      }
      case 'read':
        assertRule(
          JSON.stringify(event.notes) === JSON.stringify([...committed].sort()),
          `Others read what is committed: ${formatNotes(committed)}.`,
        )
        break
      case 'answered':
        assertRule(kept.has(event.job), 'Nobody is answered before the commit.')
        assertRule(
          kept.get(event.job) === (event.answer === undefined ? 'lost' : 'kept'),
          'What is answered is what was kept.',
        )
        assertRule(event.answer === undefined || event.answer === event.job, 'Each gets its own answer.')
        answered.push(event.job)
        break
    }
  }

  if (answered.join() !== begun.join() || waiting.length > 0) {
    throw new Error(
      `Each is answered once, in the order of the work.\n${history.map((one) => JSON.stringify(one)).join('\n')}`,
    )
  }

  /** Those that wait the longest are told that it failed. */
  function neverBegin(count: number): void {
    for (const job of waiting.splice(0, count)) {
      begun.push(job)
      kept.set(job, 'lost')
    }
  }

  /** The group goes on with what the one that ran has written, unless it failed. */
  function mergeCurrent(): void {
    if (group && current?.state === 'done' && group.jobs.includes(current)) group.notes = current.notes
    current = undefined
  }

  function loseGroup(): void {
    for (const { job } of group?.jobs ?? []) kept.set(job, 'lost')
    group = undefined
  }

  function applyStatement(
    { verb, key, value, isWithin, outcome }: StatementEvent,
    assertRule: (isSo: boolean, rule: string) => void,
  ): void {
    const isDone = outcome !== undefined && 'result' in outcome
    if (!isWithin) {
      assertRule(verb === 'read' || !isDone, 'Nothing is written once the transaction is over.')
      return
    }
    const job = current!
    const was = job.notes.get(key)
    if (verb === 'insert' && was !== undefined) assertRule(!isDone, 'A taken key is refused.')
    if (!isDone) {
      assertRule(outcome !== undefined && EXPECTED.test(outcome.error), 'A statement fails for a reason.')
      assertRule(
        was !== undefined || !outcome!.error.startsWith('SQLITE_CONSTRAINT'),
        'A free key is not refused.',
      )
      return
    }
    if (verb === 'read')
      assertRule(
        JSON.stringify(outcome.result) === JSON.stringify(was === undefined ? [] : [{ value: was }]),
        `It sees ${formatNotes(job.notes)}.`,
      )
    if (verb === 'update' || verb === 'erase')
      assertRule(
        outcome.result === (was === undefined ? 0 : 1),
        `It changes what it sees: ${formatNotes(job.notes)}.`,
      )
    const after = new Map(job.notes)
    if (verb === 'insert' || (verb === 'update' && was !== undefined)) after.set(key, value)
    if (verb === 'erase') after.delete(key)
    job.notes = after
  }
}

function formatNotes(notes: Notes): string {
  return JSON.stringify(Object.fromEntries(notes))
}
