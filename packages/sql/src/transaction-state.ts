import { conflict } from '@sales-crm/core/ports'
import type { Dialect } from './dialect.ts'
import type { Connection } from './driver.ts'
import type { StoredRecord } from './statements/table-shape.ts'

/** State shared by the stores of one transaction. */
export interface TransactionState {
  readonly connection: Connection
  /** The workspace of the first access. */
  workspaceId?: string
  /**
   * Records read by the transaction, by table, workspace and id. Valid until the transaction changes them or
   * waits for a lock.
   */
  identityMap: Map<string, StoredRecord>
  /** Records written by the transaction, by the same key. */
  readonly changedKeys: Set<string>
  /** Records read for update, as they are stored now, by the same key: no other transaction changes them. */
  readonly lockedRecords: Map<string, StoredRecord>
  /** Known versions of settings; cleared when a version may have changed. */
  settingsVersions: Promise<ReadonlyMap<string, string>> | undefined
  /** False in a read. */
  readonly canWrite: boolean
  /** True in a read without a snapshot. */
  readonly isStatementIsolated: boolean
  /** All writes, so that `transact` or `savepoint` sees a failed one. */
  pendingWrites: Promise<unknown>[]
  /** True if listeners are called after the commit. */
  isNotifyRequested: boolean
  isOver: boolean
}

export function createTransactionState(
  connection: Connection,
  { canWrite, isStatementIsolated }: Pick<TransactionState, 'canWrite' | 'isStatementIsolated'>,
): TransactionState {
  return {
    connection,
    identityMap: new Map(),
    changedKeys: new Set(),
    lockedRecords: new Map(),
    settingsVersions: undefined,
    canWrite,
    isStatementIsolated,
    pendingWrites: [],
    isNotifyRequested: false,
    isOver: false,
  }
}

/** Clears all cached reads, because they may be stale. */
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

/** A failed write fails the transaction, even if `work` does not await it. */
export function trackWrite<T>(
  state: TransactionState,
  dialect: Dialect,
  write: () => Promise<T>,
): Promise<T> {
  const result = runWrite(state, dialect, write)
  if (state.isOver) return result
  state.pendingWrites.push(result)
  // `transact` awaits it, also if `work` does not.
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

/** The parts of a transaction that a store needs. */
export interface StoreScope {
  readonly state: TransactionState
  readonly workspaceId?: string
}
