import { conflict } from '@sales-crm/core/ports'
import type { Connection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Stored } from './record-statements.ts'

/** What the stores of one transaction share. */
export interface Session {
  readonly connection: Connection
  /** The first workspace it asked for. */
  workspaceId?: string
  /** Records it has read, under their table, workspace and id: as they are until it changes them itself, or has waited for others. */
  known: Map<string, Stored>
  /** Those it has changed, under the same. */
  readonly changed: Set<string>
  /** What versions settings have, as far as it is known: gone once it may be another. */
  settings: Promise<ReadonlyMap<string, string>> | undefined
  /** False in a read. */
  readonly mayWrite: boolean
  /** Every write, so that `transact` or `attempt` hears of one that fails. */
  writes: Promise<unknown>[]
  /** Whether those who listen are called once it is committed. */
  woken: boolean
  over: boolean
}

export function sessionOn(connection: Connection, mayWrite: boolean): Session {
  return { connection, known: new Map(), changed: new Set(), settings: undefined, mayWrite, writes: [], woken: false, over: false }
}

/** What was read so far may no longer be so. */
export function forget(session: Session): void {
  session.known = new Map()
  session.settings = undefined
}

export function mustLast({ over }: Session): void {
  if (over) throw new Error('The transaction is over.')
}

export function mayWrite(session: Session): void {
  mustLast(session)
  if (!session.mayWrite) throw new Error('A read neither writes nor holds.')
}

/** A change that fails fails the transaction, whether or not anybody waits for it. */
export function writing<T>(session: Session, dialect: Dialect, change: () => Promise<T>): Promise<T> {
  const write = attempted(session, dialect, change)
  if (session.over) return write
  session.writes.push(write)
  // Where nobody waits for it, `transact` still does.
  write.catch(() => undefined)
  return write
}

async function attempted<T>(session: Session, dialect: Dialect, change: () => Promise<T>): Promise<T> {
  mayWrite(session)
  return refusingTaken(dialect, change)
}

export async function refusingTaken<T>(dialect: Dialect, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const field = dialect.takenField(error)
    throw field === undefined ? error : conflict(field)
  }
}
