import type { Actor } from '../kernel/actor.ts'
import type { Ports } from '../ports/index.ts'
import type { ReadOptions, SharedStores, Transaction, WorkspaceStores } from '../ports/storage.ts'

/** One workspace within a transaction, for a `RecordRule`. */
export interface WorkspaceTransaction {
  readonly workspaceId: string
  /** The workspace's records. Reads see the earlier writes of the transaction. */
  readonly stores: WorkspaceStores
  /** The collections that all workspaces share, such as users. */
  readonly shared: SharedStores

  /** As `Transaction.lock`, within the workspace. */
  lock(key: string): Promise<void>
  /** Wakes the delivery workers once the transaction has committed. */
  notify(): void
}

/** A workspace whose records can be shown: the URLs of views begin with the service's address. */
export interface ViewTransaction extends WorkspaceTransaction {
  /** Without a trailing slash. */
  readonly issuer: string
}

/** The actor's workspace, as the actor may see it: everyone sees all of it. */
export function inWorkspace(tx: Transaction, actor: WorkspaceMember): WorkspaceTransaction
export function inWorkspace(tx: Transaction, actor: WorkspaceMember, ports: HasIssuer): ViewTransaction
export function inWorkspace(
  tx: Transaction,
  { workspaceId }: WorkspaceMember,
  ports?: HasIssuer,
): WorkspaceTransaction {
  const transaction = asService(tx, workspaceId)
  return ports ? Object.assign(transaction, { issuer: ports.issuer }) : transaction
}

type WorkspaceMember = Pick<Actor, 'workspaceId' | 'userId'>
type HasIssuer = Pick<Ports, 'issuer'>

/** All of a workspace, for what the service does in nobody's name. */
export function asService(tx: Transaction, workspaceId: string): WorkspaceTransaction {
  return {
    workspaceId,
    stores: tx.workspace(workspaceId),
    shared: tx,
    lock: (key) => tx.lock(`${workspaceId} ${key}`),
    notify: () => tx.notify(),
  }
}

/** Runs a read of the actor's workspace. A long one takes the workspace's turn, and ends when the actor's signal does. */
export function readWorkspace<T>(
  ports: Pick<Ports, 'storage' | 'issuer'>,
  actor: Actor,
  work: (transaction: ViewTransaction) => Promise<T>,
  options?: Pick<ReadOptions, 'isolation' | 'workload'>,
): Promise<T> {
  return ports.storage.read((tx) => work(inWorkspace(tx, actor, ports)), { ...options, caller: actor })
}
