import type { ChangeContext, EmitChange, EmitsEvents } from '../../engine/extension.ts'
import {
  type ViewTransaction,
  viewAs,
  type WorkspaceTransaction,
} from '../../engine/workspace-transaction.ts'
import type { Viewer } from '../../kernel/visibility.ts'
import type { Delivery } from '../../schema/delivery.ts'
import type { EventName } from '../../schema/events.ts'
import type { Snapshot, Subject } from '../../schema/snapshot.ts'
import type { Webhook } from '../../schema/webhook.ts'
import { isSubjectVisible, toSubject } from './subject.ts'
import { filterByAccess, loadAudiences } from './webhook-access.ts'

/** The events of a change to one entity. All share one snapshot, taken in the transaction of the change. */
export interface EntityEvents {
  readonly events: readonly EventName[]
  /** The entity under its key: `{ task: … }`. */
  readonly snapshot: object
  /** Left out for what all see. */
  readonly subject?: Subject | null
}

/** Builds the events of changes, as `transaction` sees their records. */
type BuildEvents<T> = (transaction: T) => Promise<readonly EntityEvents[]>

/** Returns the webhooks of the workspace. Most workspaces have none. */
export function loadWebhooks({ stores }: WorkspaceTransaction): Promise<readonly Webhook[]> {
  return stores.webhooks.find([])
}

/**
 * Loads the webhooks and returns a function that emits the events of a change. Resources without events load
 * none.
 */
export async function prepareEvents<Detail>(
  { events, snapshot, collection }: EmitsEvents<Detail>,
  transaction: ViewTransaction,
): Promise<EmitChange<Detail>> {
  if (snapshot === null) return async () => {}
  const webhooks = await loadWebhooks(transaction)
  return (change, context) => {
    const buildEvents = async (as: ViewTransaction) => {
      const [before, after] = await Promise.all([change.before?.(as), change.after?.(as)])
      const subject = toSubject(collection, change.record)
      return [{ events: events(before, after), snapshot: snapshot((after ?? before)!), subject }]
    }
    return emitAllEvents(webhooks, buildEvents, transaction, context)
  }
}

/**
 * Inserts changes of one transaction into the outbox: a snapshot for each, and one delivery per event and subscribed
 * webhook. Skips webhooks of apps without a live grant in the workspace, stopped ones of the console, and those that may
 * not see the record. Without any webhooks, `buildEvents` is not called. All snapshots are in memory at once.
 */
export async function emitAllEvents<T extends WorkspaceTransaction>(
  webhooks: readonly Webhook[],
  buildEvents: BuildEvents<T>,
  transaction: T,
  context: ChangeContext,
): Promise<void> {
  if (webhooks.length === 0) return
  const isBounded = (await transaction.viewer()) !== undefined
  const changes = await buildEvents(isBounded ? viewAs(transaction, async () => undefined) : transaction)
  const names = new Set(changes.flatMap(({ events }) => events))
  const subscribed = webhooks.filter(({ events }) => events.some((name) => names.has(name)))
  if (subscribed.length === 0) return
  const allowed = await filterByAccess(subscribed, transaction)
  const audienceOf = await loadAudiences(allowed, transaction)
  const groups = [...Map.groupBy(allowed, audienceOf)]
  const batches = await Promise.all(
    groups.map(async ([viewer, recipients]) => {
      const seen = viewer ? await buildVisible(buildEvents, viewer, transaction) : changes
      return seen.map((change) => toEventBatch(change, recipients))
    }),
  )
  const filled = batches.flat().filter(({ recipients }) => recipients.length > 0)
  if (filled.length === 0) return
  await enqueue(filled, transaction, context)
  transaction.notify()
}

/** Emits the events of one change to what all see. */
export function emitEvents(
  webhooks: readonly Webhook[],
  buildEvents: () => Promise<EntityEvents>,
  transaction: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  return emitAllEvents(webhooks, async () => [await buildEvents()], transaction, context)
}

/** The events of the records that a viewer sees, as it sees them. */
async function buildVisible<T extends WorkspaceTransaction>(
  buildEvents: BuildEvents<T>,
  viewer: Viewer,
  transaction: T,
): Promise<readonly EntityEvents[]> {
  const changes = await buildEvents(viewAs(transaction, async () => viewer))
  const isVisible = await Promise.all(
    changes.map(({ subject = null }) => isSubjectVisible(subject, viewer, transaction)),
  )
  return changes.filter((_, index) => isVisible[index])
}

function toEventBatch({ events, ...change }: EntityEvents, webhooks: readonly Webhook[]): EventBatch {
  const recipients = events.flatMap((event) =>
    webhooks
      .filter((webhook) => webhook.events.includes(event))
      .map(({ id: webhook_id }) => ({ webhook_id, event })),
  )
  return { ...change, recipients }
}

async function enqueue(
  batches: readonly EventBatch[],
  { stores }: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  const rows = batches.map((batch) => buildOutboxRows(batch, context))
  await Promise.all([
    stores.snapshots.insertMany(rows.map(({ snapshot }) => snapshot)),
    stores.deliveries.insertMany(rows.flatMap(({ deliveries }) => deliveries)),
  ])
}

/** The snapshot of one change, and its recipients. */
interface EventBatch {
  readonly snapshot: object
  readonly subject?: Subject | null
  readonly recipients: readonly Pick<Delivery, 'webhook_id' | 'event'>[]
}

interface OutboxRows {
  readonly snapshot: Snapshot
  readonly deliveries: readonly Delivery[]
}

/** Builds the snapshot of a change and its deliveries, which are due at once. */
export function buildOutboxRows(
  { snapshot, subject = null, recipients }: EventBatch,
  { at, newId }: ChangeContext,
): OutboxRows {
  const stamps = { created_at: at, updated_at: at }
  const snapshot_id = newId()
  const deliveries = recipients.map(
    ({ webhook_id, event }): Delivery => ({
      id: newId(),
      webhook_id,
      event,
      snapshot_id,
      status: 'pending',
      reason: null,
      attempts: [],
      attempts_count: 0,
      last_attempt: false,
      due_at: at,
      sending: false,
      lease: 0,
      ...stamps,
    }),
  )
  return {
    snapshot: { id: snapshot_id, entity: JSON.stringify(snapshot).slice(1), subject, ...stamps },
    deliveries,
  }
}
