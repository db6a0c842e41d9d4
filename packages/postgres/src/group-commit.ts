import type { Asked, Statement } from '@sales-crm/sql'
import pg from 'pg'
import { ask } from './ask.ts'
import type { OwnLine } from './own-line.ts'
import { TIMEOUTS } from './pool.ts'
import { notInTime } from './turns.ts'

/** How many units of work share a commit at most, so that none waits long for its answer. */
const GROUP = 64
/** A unit of more statements than this has a transaction of its own, so that no other waits for it. */
const MOST_WRITTEN = 32
/** Milliseconds. What somebody holds for longer is waited for by the one who wants it, and by no other. */
const LOCK_TIMEOUT = 50
const BEGIN = 'begin isolation level read committed'

/** All that one unit of work writes, in order. */
export type Writes = readonly Asked[]

interface Job {
  readonly writes: Writes
  /** By `performance.now()`. */
  readonly since: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** What the connection of a group commit is told once. */
export const forGroups = (client: pg.Client): Promise<unknown> => client.query(`set lock_timeout to ${LOCK_TIMEOUT}`)

/**
 * Writes what units of work have gathered, those of one moment in one transaction, and answers each once that is committed. Where any of
 * them fails, each is written alone, and fails alone. A lone unit waits for nobody. One that has waited for its group longer than it
 * would for a lock is not sent.
 * @param alone writes one unit in a transaction of its own
 */
export function groupCommit(line: OwnLine, alone: (writes: Writes) => Promise<void>): (writes: Writes) => Promise<void> {
  let waiting: Job[] = []
  let isUnderWay = false

  async function commitAll(): Promise<void> {
    for (let group = nextGroup(); group.length > 0; group = nextGroup()) await commitGroup(group)
    isUnderWay = false
  }

  function nextGroup(): readonly Job[] {
    const oldest = performance.now() - TIMEOUTS.lock_timeout
    const late = waiting.filter(({ since }) => since < oldest)
    const group = waiting.slice(late.length, late.length + GROUP)
    waiting = waiting.slice(late.length + GROUP)
    for (const { reject } of late) reject(notInTime())
    return group
  }

  async function commitGroup(group: readonly Job[]): Promise<void> {
    try {
      // Where no connection is to be had nothing was sent yet.
      const client = await line.client().catch(() => {
        throw new Refused()
      })
      await commit(client, merged(group.map(({ writes }) => writes)))
    } catch (error) {
      // Nothing of a group is there after one of its statements was refused. Of a connection that was lost nobody knows.
      if (!(error instanceof Refused)) {
        for (const { reject } of group) reject(error)
        return
      }
      for (const { writes, resolve, reject } of group) alone(writes).then(resolve, reject)
      return
    }
    for (const { resolve } of group) resolve()
  }

  return (writes) => {
    if (writes.length > MOST_WRITTEN) return alone(writes)
    return new Promise((resolve, reject) => {
      waiting.push({ writes, since: performance.now(), resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      setImmediate(() => void commitAll())
    })
  }
}

class Refused extends Error {}

/** @throws Refused where the database has taken nothing of it */
async function commit(client: pg.ClientBase, writes: Writes): Promise<void> {
  const begun = ask(client, BEGIN, [])
  const written = writes.map(({ statement, values }) => ask(client, statement.sql, values, statement.name))
  const committed = ask(client, 'commit', [])
  const outcomes = await Promise.allSettled([begun, ...written, committed])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failed) return
  if (failed !== outcomes.at(-1) && failed.reason instanceof pg.DatabaseError) throw new Refused()
  throw failed.reason
}

/** The same writes, each unit's own in their order, with those that may go as one side by side. */
export function merged(units: readonly Writes[]): Writes {
  const longest = units.reduce((most, { length }) => Math.max(most, length), 0)
  return Array.from({ length: longest }, (_, nth) => units.flatMap((writes) => writes[nth] ?? [])).flatMap(asFew)
}

/** As one for each power of two in their number: so that few statements are prepared. */
function asFew(writes: Writes): Writes {
  const lists = new Map<Statement, (readonly unknown[])[]>()
  for (const { statement, values } of writes) lists.set(statement, [...(lists.get(statement) ?? []), values])
  return [...lists].flatMap(([statement, all]) => {
    const { times } = statement
    if (!times) return all.map((values) => ({ statement, values }))
    const few: Asked[] = []
    for (let from = 0; from < all.length; ) {
      const count = 2 ** Math.floor(Math.log2(all.length - from))
      few.push({ statement: count === 1 ? statement : times(count), values: all.slice(from, from + count).flat() })
      from += count
    }
    return few
  })
}
