import { conflict } from '@sales-crm/core/ports'
import type { Dialect } from './dialect.ts'
import type { Connection } from './driver.ts'
import type { StoredRecord } from './statements/table-shape.ts'

/** What the stores of one transaction share. */
export interface TransactionState {
  readonly connection: Connection
  /** The first workspace it asked for. */
  workspaceId?: string
  /**
   * Records it has read, under their table, workspace and id: as they are until it changes them itself, or
   * has waited for others.
   */
  identityMap: Map<string, StoredRecord>
  /** Those it has changed, under the same. */
  readonly changedKeys: Set<string>
  /** What versions settings have, as far as it is known: gone once it may be another. */
  settingsVersions: Promise<ReadonlyMap<string, string>> | undefined
  /** False in a read. */
  readonly canWrite: boolean
  /** Every write, so that `transact` or `attempt` hears of one that fails. */
  pendingWrites: Promise<unknown>[]
  /** Whether those who listen are called once it is committed. */
  isNotifyRequested: boolean
  isOver: boolean
}

export function createTransactionState(connection: Connection, canWrite: boolean): TransactionState {
  return {
    connection,
    identityMap: new Map(),
    changedKeys: new Set(),
    settingsVersions: undefined,
    canWrite,
    pendingWrites: [],
    isNotifyRequested: false,
    isOver: false,
  }
}

/** What was read so far may no longer be so. */
export function invalidateReads(state: TransactionState): void {
  state.identityMap = new Map()
  state.settingsVersions = undefined
}

export function assertOpen({ isOver }: TransactionState): void {
  if (isOver) throw new Error('The transaction is over.')
}

export function assertWritable(state: TransactionState): void {
  assertOpen(state)
  if (!state.canWrite) throw new Error('A read neither writes nor holds.')
}

/** A change that fails fails the transaction, whether or not anybody waits for it. */
export function trackWrite<T>(
  state: TransactionState,
  dialect: Dialect,
  write: () => Promise<T>,
): Promise<T> {
  const result = runWrite(state, dialect, write)
  if (state.isOver) return result
  state.pendingWrites.push(result)
  // Where nobody waits for it, `transact` still does.
  result.catch(() => undefined)
  return result
}

async function runWrite<T>(state: TransactionState, dialect: Dialect, write: () => Promise<T>): Promise<T> {
  assertWritable(state)
  return translateUniqueViolation(dialect, write)
}

export async function translateUniqueViolation<T>(dialect: Dialect, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const field = dialect.parseUniqueViolation(error)
    throw field === undefined ? error : conflict(field)
  }
}

/** What a transaction gives a store. */
export interface StoreScope {
  readonly state: TransactionState
  readonly workspaceId?: string
}
