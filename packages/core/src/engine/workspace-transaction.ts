import type { SharedStores, Transaction, WorkspaceStores } from '../ports/storage.ts'

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
