import { TransactionGuard } from '@sales-crm/core/base-storage'
import { conflict } from '@sales-crm/core/ports'
import type { Dialect } from './dialect.ts'
import type { Connection } from './driver.ts'
import type { StoredRecord } from './statements/table-shape.ts'

/** State shared by the stores of one transaction. */
export interface TransactionState {
  readonly connection: Connection
  readonly guard: TransactionGuard
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
  /** True in a read without a snapshot. */
  readonly isStatementIsolated: boolean
  /** True if listeners are called after the commit. */
  isNotifyRequested: boolean
}

export function createTransactionState(
  connection: Connection,
  {
    isWritable = false,
    isStatementIsolated = false,
  }: { isWritable?: boolean; isStatementIsolated?: boolean },
): TransactionState {
  return {
    connection,
    guard: new TransactionGuard(isWritable),
    identityMap: new Map(),
    changedKeys: new Set(),
    lockedRecords: new Map(),
    settingsVersions: undefined,
    isStatementIsolated,
    isNotifyRequested: false,
  }
}

/** Clears all cached reads, because they may be stale. */
export function invalidateReads(state: TransactionState): void {
  state.identityMap = new Map()
  state.settingsVersions = undefined
}

/** Runs a write of the transaction, whose unique violation is a `conflict`. */
export function runWrite<T>(
  { guard }: TransactionState,
  dialect: Dialect,
  write: () => Promise<T>,
): Promise<T> {
  return guard.write(() => translateUniqueViolation(dialect, write))
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
