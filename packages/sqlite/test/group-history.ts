import type { Verb } from './group-programs.ts'

/** A statement that reached the database. */
export interface Did {
  readonly at: 'did'
  readonly verb: Verb
  readonly job: number
  readonly key: string
  readonly value: number
  /** Whether a transaction was open. */
  readonly isWithin: boolean
  outcome: { readonly result: unknown } | { readonly error: string } | undefined
}

/** What was seen of a run, in the order it happened: by those who asked, by the work, and between it and the database. */
export type Happened =
  | Did
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
const OF_THE_DISK = /^SQLITE_(FULL|IOERR)/

/** @throws Error that says what happened which must not, and when */
export function mustBeSerial(happened: readonly Happened[]): void {
  const synced = new Set<number>()
  const waiting: number[] = []
  const begun: number[] = []
  const kept = new Map<number, 'kept' | 'lost'>()
  const answered: number[] = []
  let committed: Notes = new Map()
  let group: Group | undefined
  let current: Job | undefined
  let last = 0

  for (const [index, each] of happened.entries()) {
    const must = (isSo: boolean, rule: string) => {
      if (!isSo)
        throw new Error(`${rule}\nat ${index}: ${JSON.stringify(each)} of\n${happened.map((one) => JSON.stringify(one)).join('\n')}`)
    }
    switch (each.at) {
      case 'asked':
        waiting.push(each.job)
        if (each.isSynced) synced.add(each.job)
        break
      case 'begun':
        lose()
        group = { notes: committed, jobs: [], isBroken: false }
        break
      case 'started':
        take()
        must(each.job === waiting.shift(), 'Work begins in the order it was asked for.')
        begun.push(each.job)
        current = { job: each.job, notes: group?.notes ?? committed, beforePart: undefined, isPartOpen: false, state: 'running' }
        group?.jobs.push(current)
        break
      case 'did':
        must(each.job === current?.job, 'A statement runs in its own transaction alone.')
        must(each.value > last, 'Statements keep their order.')
        last = each.value
        did(each, must)
        break
      case 'part':
        must(each.job === current?.job, 'A part runs in its own transaction alone.')
        Object.assign(current!, { beforePart: current!.notes, isPartOpen: true })
        break
      case 'part over':
        if (current?.beforePart && each.threw) current.notes = current.beforePart
        if (current) current.isPartOpen = false
        break
      case 'finished':
        must(each.job === current?.job, 'One runs after another.')
        current!.state = each.threw ? 'failed' : 'done'
        break
      case 'failed':
        if (current && each.step === 'release job') current.state = 'failed'
        if (current?.beforePart && each.step === 'release part') current.notes = current.beforePart
        if (each.step === 'begin immediate' && each.code !== 'SQLITE_BUSY') neverBegin(waiting.length)
        if (each.step === 'savepoint job') neverBegin(1)
        if (group && current?.isPartOpen && each.step === 'statement') group.isBroken ||= OF_THE_DISK.test(each.code)
        break
      case 'ended':
        lose()
        break
      case 'committed': {
        take()
        must(group !== undefined, 'A commit ends what has begun.')
        must(!group!.isBroken, 'Nothing is kept beside a part that met a fault of the disk.')
        const { jobs, notes } = group!
        must(each.level === FULL || !jobs.some(({ job }) => synced.has(job)), 'What is to be synced waits for the disk.')
        for (const { job, state } of jobs) kept.set(job, state === 'done' ? 'kept' : 'lost')
        committed = notes
        group = undefined
        current = undefined
        break
      }
      case 'read':
        must(JSON.stringify(each.notes) === JSON.stringify([...committed].sort()), `Others read what is committed: ${told(committed)}.`)
        break
      case 'answered':
        must(kept.has(each.job), 'Nobody is answered before the commit.')
        must(kept.get(each.job) === (each.answer === undefined ? 'lost' : 'kept'), 'What is answered is what was kept.')
        must(each.answer === undefined || each.answer === each.job, 'Each gets its own answer.')
        answered.push(each.job)
        break
    }
  }

  if (answered.join() !== begun.join() || waiting.length > 0) {
    throw new Error(`Each is answered once, in the order of the work.\n${happened.map((one) => JSON.stringify(one)).join('\n')}`)
  }

  /** Those that wait the longest are told that it failed. */
  function neverBegin(count: number): void {
    for (const job of waiting.splice(0, count)) {
      begun.push(job)
      kept.set(job, 'lost')
    }
  }

  /** The group goes on with what the one that ran has written, unless it failed. */
  function take(): void {
    if (group && current?.state === 'done' && group.jobs.includes(current)) group.notes = current.notes
    current = undefined
  }

  function lose(): void {
    for (const { job } of group?.jobs ?? []) kept.set(job, 'lost')
    group = undefined
  }

  function did({ verb, key, value, isWithin, outcome }: Did, must: (isSo: boolean, rule: string) => void): void {
    const isDone = outcome !== undefined && 'result' in outcome
    if (!isWithin) {
      must(verb === 'read' || !isDone, 'Nothing is written once the transaction is over.')
      return
    }
    const job = current!
    const was = job.notes.get(key)
    if (verb === 'insert' && was !== undefined) must(!isDone, 'A taken key is refused.')
    if (!isDone) {
      must(outcome !== undefined && EXPECTED.test(outcome.error), 'A statement fails for a reason.')
      must(was !== undefined || !outcome!.error.startsWith('SQLITE_CONSTRAINT'), 'A free key is not refused.')
      return
    }
    if (verb === 'read')
      must(JSON.stringify(outcome.result) === JSON.stringify(was === undefined ? [] : [{ value: was }]), `It sees ${told(job.notes)}.`)
    if (verb === 'update' || verb === 'erase')
      must(outcome.result === (was === undefined ? 0 : 1), `It changes what it sees: ${told(job.notes)}.`)
    const after = new Map(job.notes)
    if (verb === 'insert' || (verb === 'update' && was !== undefined)) after.set(key, value)
    if (verb === 'erase') after.delete(key)
    job.notes = after
  }
}

function told(notes: Notes): string {
  return JSON.stringify(Object.fromEntries(notes))
}
