import type { SharedStores, Transaction, WorkspaceStores } from '../ports/storage.ts'

/** One workspace within a transaction. */
export interface WorkspaceTransaction {
  readonly workspaceId: string
  readonly stores: WorkspaceStores
  readonly shared: SharedStores

  notify(): void
}

export function inWorkspace(tx: Transaction, workspaceId: string): WorkspaceTransaction {
  return { workspaceId, stores: tx.workspace(workspaceId), shared: tx, notify: () => tx.notify() }
}
