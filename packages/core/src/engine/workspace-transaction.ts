import type { Actor } from '../kernel/actor.ts'
import type { ReadOptions, SharedStores, Storage, Transaction, WorkspaceStores } from '../ports/storage.ts'

/** One workspace within a transaction, for a `RecordRule`. */
export interface WorkspaceTransaction {
  readonly workspaceId: string
  /** The workspace's records. Reads see the earlier writes of the transaction. */
  readonly stores: WorkspaceStores
  /** The collections that all workspaces share, such as users. */
  readonly shared: SharedStores

  /** Wakes the delivery workers once the transaction has committed. */
  notify(): void
}

export function inWorkspace(tx: Transaction, workspaceId: string): WorkspaceTransaction {
  return { workspaceId, stores: tx.workspace(workspaceId), shared: tx, notify: () => tx.notify() }
}

/** Runs a read of the actor's workspace. A long one takes the workspace's turn, and ends when the actor's signal does. */
export function readWorkspace<T>(
  storage: Pick<Storage, 'read'>,
  actor: Actor,
  work: (unit: WorkspaceTransaction) => Promise<T>,
  options?: Pick<ReadOptions, 'isolation' | 'workload'>,
): Promise<T> {
  return storage.read((tx) => work(inWorkspace(tx, actor.workspaceId)), { ...options, caller: actor })
}
