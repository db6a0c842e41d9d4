import type { Actor } from '../kernel/actor.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { Viewer } from '../kernel/visibility.ts'
import type { Clock, ParsePhone, Ports } from '../ports/index.ts'
import type { ReadOptions, SharedStores, Transaction, WorkspaceStores } from '../ports/storage.ts'
import { type Collection, SHAPES } from '../schema/index.ts'
import { loadViewer } from './load-viewer.ts'
import { COLLECTION_RULES, MEMBER_RULES } from './visible-records.ts'
import { type StoreReader, VisibleStore } from './visible-store.ts'

/** One workspace within a transaction, for a `RecordRule`. */
export interface WorkspaceTransaction {
  readonly workspaceId: string
  /** The workspace's records, as far as the actor sees them. Reads see the earlier writes of the transaction. */
  readonly stores: WorkspaceStores
  /** The collections that all workspaces share, such as users. */
  readonly shared: SharedStores
  /** The same workspace with all its records. */
  readonly service: WorkspaceTransaction

  /** What decides which records the stores have; undefined for all. */
  viewer(): Promise<Viewer | undefined>
  /** As `Transaction.lock`, within the workspace. */
  lock(key: string): Promise<void>
  /** Wakes the delivery workers once the transaction has committed. */
  notify(): void
}

/** A workspace whose records can be shown: the URLs of views begin with the service's address. */
export interface ViewTransaction extends WorkspaceTransaction {
  /** Without a trailing slash. */
  readonly issuer: string
  /** Whose view it is. */
  readonly actor: Actor
  readonly now: Clock
  /** As in `Ports`. */
  readonly parsePhone?: ParsePhone | undefined
}

/** The actor's workspace, as the actor may see it. */
export function inWorkspace(tx: Transaction, actor: WorkspaceMember): WorkspaceTransaction
export function inWorkspace(tx: Transaction, actor: Actor, ports: ViewPorts): ViewTransaction
export function inWorkspace(
  tx: Transaction,
  actor: WorkspaceMember,
  ports?: ViewPorts,
): WorkspaceTransaction {
  const { workspaceId, userId } = actor
  const service = asService(tx, workspaceId)
  const key = readerKey(actor)
  let viewer: Promise<Viewer | undefined> | undefined
  const transaction = viewAs(
    service,
    () => {
      viewer ??= loadViewer(userId, service).then((loaded) => rememberReader(key, loaded))
      return viewer
    },
    { isLikelyBounded: () => boundedReaders.has(key), userId },
  )
  if (!ports) return transaction
  const { issuer, now, parsePhone } = ports
  return Object.assign(transaction, { issuer, now, parsePhone, actor })
}

/** The members whom a rule bounded when they last read: a hint, without which lists would wait for the rule. */
const boundedReaders = new Set<string>()
const MAX_BOUNDED_READERS = 10_000

const readerKey = ({ workspaceId, userId }: WorkspaceMember) => `${workspaceId} ${userId}`

function rememberReader(key: string, viewer: Viewer | undefined): Viewer | undefined {
  if (!viewer) boundedReaders.delete(key)
  else if (!boundedReaders.has(key)) {
    if (boundedReaders.size >= MAX_BOUNDED_READERS) boundedReaders.clear()
    boundedReaders.add(key)
  }
  return viewer
}

type WorkspaceMember = Pick<Actor, 'workspaceId' | 'userId'>
type ViewPorts = Pick<Ports, 'issuer' | 'now' | 'parsePhone'>

/** All of a workspace, for what the service does in nobody's name. */
export function asService(tx: Transaction, workspaceId: string): WorkspaceTransaction {
  const transaction = {
    workspaceId,
    stores: tx.workspace(workspaceId),
    shared: tx,
    viewer: async () => undefined,
    lock: (key: string) => tx.lock(`${workspaceId} ${key}`),
    notify: () => tx.notify(),
  }
  return Object.assign(transaction, { service: transaction as unknown as WorkspaceTransaction })
}

interface ReaderOptions extends Pick<StoreReader, 'isLikelyBounded'> {
  /** Whose the records are that only their owner sees. Default: everybody's. */
  readonly userId?: string
}

/** The same workspace with the records that another viewer sees. */
export function viewAs<T extends WorkspaceTransaction>(
  transaction: T,
  viewer: T['viewer'],
  options: ReaderOptions = { isLikelyBounded: () => true },
): T {
  const { service } = transaction
  return { ...transaction, viewer, stores: visibleStores({ ...options, viewer, all: service.stores }) }
}

interface OwnMembers extends ReaderOptions {
  readonly all: WorkspaceStores
  readonly viewer: WorkspaceTransaction['viewer']
}

/** The stores of every actor: one prototype, which opens those that are used. */
const STORE_GETTERS = Object.create(
  null,
  Object.fromEntries(
    (Object.keys(SHAPES) as Collection[]).map((name) => [
      name,
      {
        get(this: OwnMembers) {
          const { all, viewer, isLikelyBounded, userId } = this
          const memberRule = MEMBER_RULES[name]
          if (memberRule && userId !== undefined)
            return new VisibleStore(all[name] as unknown as RecordStore<RecordBase>, {
              isLikelyBounded: () => true,
              loadRule: () => memberRule(userId, all),
            })
          const rule = COLLECTION_RULES[name]
          if (!rule) return all[name]
          return new VisibleStore(all[name] as unknown as RecordStore<RecordBase>, {
            isLikelyBounded,
            async loadRule() {
              const reader = await viewer()
              return reader && rule(reader, all)
            },
          })
        },
      },
    ]),
  ),
)

function visibleStores(members: OwnMembers): WorkspaceStores {
  return Object.assign(Object.create(STORE_GETTERS), members)
}

/** Runs a read of the actor's workspace. A long one takes the workspace's turn, and ends when the actor's signal does. */
export function readWorkspace<T>(
  ports: ViewPorts & Pick<Ports, 'storage'>,
  actor: Actor,
  work: (transaction: ViewTransaction) => Promise<T>,
  options?: Pick<ReadOptions, 'isolation' | 'workload'>,
): Promise<T> {
  return ports.storage.read((tx) => work(inWorkspace(tx, actor, ports)), { ...options, caller: actor })
}

/**
 * Runs a read whose first page and total a store reads in one statement, without a snapshot. Those of a reader with a rule
 * take several statements, which need one.
 */
export async function readFirstPage<T>(
  ports: ViewPorts & Pick<Ports, 'storage'>,
  actor: Actor,
  work: (transaction: ViewTransaction) => Promise<T>,
): Promise<T> {
  const isLikelyBounded = () => boundedReaders.has(readerKey(actor))
  if (!isLikelyBounded()) {
    const result = await readWorkspace(ports, actor, work, { isolation: 'statement' })
    if (!isLikelyBounded()) return result
  }
  return readWorkspace(ports, actor, work)
}
