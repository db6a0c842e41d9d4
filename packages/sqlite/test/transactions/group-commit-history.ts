import type { StatementKind } from './group-commit-programs.ts'

/** A statement that reached the database. */
export interface StatementEvent {
  readonly at: 'statement'
  readonly kind: StatementKind
  readonly job: number
  readonly key: string
  readonly value: number
  readonly inTransaction: boolean
  outcome: { readonly result: unknown } | { readonly error: string } | undefined
}

/**
 * The events of a run in order: submissions and results, the phases of the work, and the traffic with the
 * database.
 */
export type HistoryEvent =
  | StatementEvent
  | { readonly at: 'submitted'; readonly job: number; readonly isSynced: boolean }
  | { readonly at: 'settled'; readonly job: number; readonly result: number | undefined }
  | { readonly at: 'started' | 'savepoint started'; readonly job: number }
  | { readonly at: 'finished' | 'savepoint ended'; readonly job: number; readonly threw: boolean }
  | { readonly at: 'read'; readonly notes: readonly (readonly [key: string, value: number])[] }
  | { readonly at: 'begun' | 'ended' }
  | { readonly at: 'committed'; readonly level: number }
  | { readonly at: 'failed'; readonly step: string; readonly code: string }

type Notes = ReadonlyMap<string, number>

interface GroupState {
  /** The committed notes with the writes of the group's successful jobs. */
  notes: Notes
  readonly jobs: JobState[]
  /** A savepoint failed with a disk error. */
  isBroken: boolean
}

interface JobState {
  readonly job: number
  notes: Notes
  /** The notes before the current or last savepoint. */
  beforePart: Notes | undefined
  isPartOpen: boolean
  state: 'running' | 'done' | 'failed'
}

const FULL = 2
/** A duplicate key or an injected fault. */
const EXPECTED = /^SQLITE_(CONSTRAINT|FULL|IOERR|BUSY)/
const DISK_CODES = /^SQLITE_(FULL|IOERR)/

/** @throws Error with the violated rule and the position in the history */
export function assertSerial(history: readonly HistoryEvent[]): void {
  const synced = new Set<number>()
  const waiting: number[] = []
  const started: number[] = []
  const outcomes = new Map<number, 'committed' | 'lost'>()
  const settled: number[] = []
  let committed: Notes = new Map()
  let group: GroupState | undefined
  let current: JobState | undefined
  let last = 0

  for (const [index, event] of history.entries()) {
    const assertRule = (isTrue: boolean, rule: string) => {
      if (!isTrue)
        throw new Error(
          `${rule}\nat ${index}: ${JSON.stringify(event)} of\n${history.map((entry) => JSON.stringify(entry)).join('\n')}`,
        )
    }
    switch (event.at) {
      case 'submitted':
        waiting.push(event.job)
        if (event.isSynced) synced.add(event.job)
        break
      case 'begun':
        loseGroup()
        group = { notes: committed, jobs: [], isBroken: false }
        break
      case 'started':
        mergeCurrent()
        assertRule(event.job === waiting.shift(), 'Jobs start in submission order.')
        started.push(event.job)
        current = {
          job: event.job,
          notes: group?.notes ?? committed,
          beforePart: undefined,
          isPartOpen: false,
          state: 'running',
        }
        group?.jobs.push(current)
        break
      case 'statement':
        assertRule(event.job === current?.job, 'A statement runs only in the transaction of its own job.')
        assertRule(event.value > last, 'Statements keep their order.')
        last = event.value
        applyStatement(event, assertRule)
        break
      case 'savepoint started':
        assertRule(event.job === current?.job, 'A savepoint runs only in the transaction of its own job.')
        Object.assign(current!, { beforePart: current!.notes, isPartOpen: true })
        break
      case 'savepoint ended':
        if (current?.beforePart && event.threw) current.notes = current.beforePart
        if (current) current.isPartOpen = false
        break
      case 'finished':
        assertRule(event.job === current?.job, 'Jobs run one at a time.')
        current!.state = event.threw ? 'failed' : 'done'
        break
      case 'failed':
        if (current && event.step === 'release job') current.state = 'failed'
        if (current?.beforePart && event.step === 'release part') current.notes = current.beforePart
        if (event.step === 'begin immediate' && event.code !== 'SQLITE_BUSY') failWaiting(waiting.length)
        if (event.step === 'savepoint job') failWaiting(1)
        if (group && current?.isPartOpen && event.step === 'statement')
          group.isBroken ||= DISK_CODES.test(event.code)
        break
      case 'ended':
        loseGroup()
        break
      case 'committed': {
        mergeCurrent()
        assertRule(group !== undefined, 'A commit follows a begin.')
        assertRule(!group!.isBroken, 'No group is committed after a savepoint failed with a disk error.')
        const { jobs, notes } = group!
        assertRule(
          event.level === FULL || !jobs.some(({ job }) => synced.has(job)),
          'A durable job waits for the disk.',
        )
        for (const { job, state } of jobs) outcomes.set(job, state === 'done' ? 'committed' : 'lost')
        committed = notes
        group = undefined
        current = undefined
        break
      }
      case 'read':
        assertRule(
          JSON.stringify(event.notes) === JSON.stringify([...committed].sort()),
          `Readers see only committed data: ${formatNotes(committed)}.`,
        )
        break
      case 'settled':
        assertRule(outcomes.has(event.job), 'No job settles before the commit.')
        assertRule(
          outcomes.get(event.job) === (event.result === undefined ? 'lost' : 'committed'),
          'The result of a job matches its outcome.',
        )
        assertRule(event.result === undefined || event.result === event.job, 'Each job gets its own result.')
        settled.push(event.job)
        break
    }
  }

  if (settled.join() !== started.join() || waiting.length > 0) {
    throw new Error(
      `Each job settles once, in the order of the jobs.\n${history.map((entry) => JSON.stringify(entry)).join('\n')}`,
    )
  }

  /** Rejects the jobs that have waited longest. */
  function failWaiting(count: number): void {
    for (const job of waiting.splice(0, count)) {
      started.push(job)
      outcomes.set(job, 'lost')
    }
  }

  /** Adopts the current job's writes into the group, unless the job failed. */
  function mergeCurrent(): void {
    if (group && current?.state === 'done' && group.jobs.includes(current)) group.notes = current.notes
    current = undefined
  }

  function loseGroup(): void {
    for (const { job } of group?.jobs ?? []) outcomes.set(job, 'lost')
    group = undefined
  }

  function applyStatement(
    { kind, key, value, inTransaction, outcome }: StatementEvent,
    assertRule: (isTrue: boolean, rule: string) => void,
  ): void {
    const isDone = outcome !== undefined && 'result' in outcome
    if (!inTransaction) {
      assertRule(kind === 'read' || !isDone, 'Nothing is written after the transaction has ended.')
      return
    }
    const job = current!
    const previous = job.notes.get(key)
    if (kind === 'insert' && previous !== undefined) assertRule(!isDone, 'A duplicate key is rejected.')
    if (!isDone) {
      assertRule(
        outcome !== undefined && EXPECTED.test(outcome.error),
        'A statement fails only with an expected error.',
      )
      assertRule(
        previous !== undefined || !outcome!.error.startsWith('SQLITE_CONSTRAINT'),
        'An unused key is not rejected.',
      )
      return
    }
    if (kind === 'read')
      assertRule(
        JSON.stringify(outcome.result) ===
          JSON.stringify(previous === undefined ? [] : [{ value: previous }]),
        `A read sees ${formatNotes(job.notes)}.`,
      )
    if (kind === 'update' || kind === 'delete')
      assertRule(
        outcome.result === (previous === undefined ? 0 : 1),
        `A write changes the rows it sees: ${formatNotes(job.notes)}.`,
      )
    const after = new Map(job.notes)
    if (kind === 'insert' || (kind === 'update' && previous !== undefined)) after.set(key, value)
    if (kind === 'delete') after.delete(key)
    job.notes = after
  }
}

function formatNotes(notes: Notes): string {
  return JSON.stringify(Object.fromEntries(notes))
}
