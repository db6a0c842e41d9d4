import type { ChangeContext, EmitChange, EmitsEvents } from '../../engine/extension.ts'
import { collectIds } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { Delivery } from '../../schema/delivery.ts'
import type { EventName } from '../../schema/events.ts'
import type { Snapshot } from '../../schema/snapshot.ts'
import type { Webhook } from '../../schema/webhook.ts'

/** The events of a change to one entity. All share one snapshot, taken in the transaction of the change. */
interface EntityEvents {
  readonly events: readonly EventName[]
  /** The entity under its key: `{ task: … }`. */
  readonly snapshot: object
}

/** Returns the webhooks of the workspace. Most workspaces have none. */
export function loadWebhooks({ stores }: WorkspaceTransaction): Promise<readonly Webhook[]> {
  return stores.webhooks.find([])
}

/**
 * Loads the webhooks and returns a function that emits the events of a change. Resources without events load
 * none.
 */
export async function prepareEvents<Detail>(
  { events, snapshot }: EmitsEvents<Detail>,
  transaction: WorkspaceTransaction,
): Promise<EmitChange<Detail>> {
  if (snapshot === null) return async () => {}
  const webhooks = await loadWebhooks(transaction)
  return (change, context) => {
    const buildEvents = async () => {
      const [before, after] = await Promise.all([change.before?.(), change.after?.()])
      return { events: events(before, after), snapshot: snapshot((after ?? before)!) }
    }
    return emitEvents(webhooks, buildEvents, transaction, context)
  }
}

/**
 * Inserts a change into the outbox: its snapshot and one delivery per event and subscribed webhook. Skips
 * webhooks of apps without a live grant in the workspace, and stopped ones of the console. Without any webhooks, `buildEvents` is not called.
 */
export function emitEvents(
  webhooks: readonly Webhook[],
  buildEvents: () => Promise<EntityEvents>,
  transaction: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  return emitAllEvents(webhooks, async () => [await buildEvents()], transaction, context)
}

/** Does the same for several changes of one transaction. All their snapshots are in memory at once. */
export async function emitAllEvents(
  webhooks: readonly Webhook[],
  buildEvents: () => Promise<readonly EntityEvents[]>,
  transaction: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  if (webhooks.length === 0) return
  const changes = await buildEvents()
  const names = new Set(changes.flatMap(({ events }) => events))
  const subscribed = webhooks.filter(({ events }) => events.some((name) => names.has(name)))
  if (subscribed.length === 0) return
  const allowed = await filterByAccess(subscribed, transaction)
  const batches = changes
    .map((change) => toEventBatch(change, allowed))
    .filter(({ recipients }) => recipients.length > 0)
  if (batches.length === 0) return
  await enqueue(batches, transaction, context)
  transaction.notify()
}

function toEventBatch({ events, snapshot }: EntityEvents, webhooks: readonly Webhook[]): EventBatch {
  const recipients = events.flatMap((event) =>
    webhooks
      .filter((webhook) => webhook.events.includes(event))
      .map(({ id: webhook_id }) => ({ webhook_id, event })),
  )
  return { snapshot, recipients }
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

/**
 * Returns the webhooks that may hear of changes. Those of an app need a live grant of the app; those of the console
 * need a creator who is owner or admin. Webhooks of an embedding program or of the workspace itself need nothing.
 */
export async function filterByAccess(
  webhooks: readonly Webhook[],
  { stores }: Pick<WorkspaceTransaction, 'stores'>,
): Promise<readonly Webhook[]> {
  const [appsWithoutGrant, managers] = await Promise.all([
    findAppsWithoutGrant(webhooks, stores),
    findManagers(webhooks, stores),
  ])
  return webhooks.filter(({ client_id, creator_user_id }) => {
    if (client_id === CONSOLE_CLIENT_ID) return creator_user_id !== null && managers.has(creator_user_id)
    return client_id === null || !appsWithoutGrant.has(client_id)
  })
}

async function findAppsWithoutGrant(
  webhooks: readonly Webhook[],
  stores: WorkspaceStores,
): Promise<ReadonlySet<string>> {
  const apps = [
    ...new Set(
      webhooks.flatMap(({ client_id }) => (client_id !== null && needsGrant(client_id) ? [client_id] : [])),
    ),
  ]
  const haveGrant = await Promise.all(
    apps.map((client_id) =>
      stores.grants.has([
        { field: 'client_id', is: client_id },
        { field: 'revoked_at', is: null },
      ]),
    ),
  )
  return new Set(apps.filter((_, index) => !haveGrant[index]))
}

/** The creators of webhooks of the console who are owners or admins. */
async function findManagers(
  webhooks: readonly Webhook[],
  { members }: WorkspaceStores,
): Promise<ReadonlySet<string>> {
  const ofConsole = webhooks.filter(({ client_id }) => client_id === CONSOLE_CLIENT_ID)
  const creators = await members.getMany(collectIds(ofConsole, 'creator_user_id'))
  return new Set(
    creators.filter(({ role, removed_at }) => removed_at === null && role !== 'member').map(({ id }) => id),
  )
}

function needsGrant(clientId: string): boolean {
  return isUuid(clientId) && clientId !== CONSOLE_CLIENT_ID
}

/** The snapshot of one change, and its recipients. */
interface EventBatch {
  readonly snapshot: object
  readonly recipients: readonly Pick<Delivery, 'webhook_id' | 'event'>[]
}

interface OutboxRows {
  readonly snapshot: Snapshot
  readonly deliveries: readonly Delivery[]
}

/** Builds the snapshot of a change and its deliveries, which are due at once. */
export function buildOutboxRows(
  { snapshot, recipients }: EventBatch,
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
  return { snapshot: { id: snapshot_id, entity: JSON.stringify(snapshot).slice(1), ...stamps }, deliveries }
}
