import { EVENT_NAMES, type EventName } from '@sales-crm/core'
import type { Records } from '@sales-crm/core/ports'
import type { Service, Workspace } from './test-service.ts'
import type { Envelope } from './webhook-receiver.ts'

type Webhook = Records['webhooks']
type Delivery = Records['deliveries']

interface WebhookOptions {
  readonly events?: readonly EventName[]
  readonly url?: string
}

/**
 * Inserts a webhook without a secret. Without `client_id` it belongs to the workspace. Without `events` it is
 * subscribed to all.
 */
export async function addWebhook(
  { ports }: Pick<Service, 'ports'>,
  { id, client_id }: Pick<Workspace, 'id'> & Partial<Pick<Workspace, 'client_id'>>,
  { events = EVENT_NAMES, url = 'https://receiver.example/hook' }: WebhookOptions = {},
): Promise<Webhook> {
  const at = ports.now()
  const { host } = new URL(url)
  const stamps = { created_at: at, updated_at: at }
  const webhook: Webhook = {
    id: ports.newId(),
    client_id: client_id ?? null,
    creator_user_id: null,
    url,
    host,
    events,
    sealed_secret: null,
    ...stamps,
  }
  await ports.storage.transact((tx) => tx.workspace(id).webhooks.insert(webhook))
  return webhook
}

/** Returns every delivery in a workspace's outbox. */
function listDeliveries(
  { ports }: Pick<Service, 'ports'>,
  { id }: Pick<Workspace, 'id'>,
): Promise<readonly Delivery[]> {
  return ports.storage.read((tx) => tx.workspace(id).deliveries.find([]))
}

/** Returns a function that returns the events added to the outbox since its last call, unordered. */
export function createEventReader(
  service: Pick<Service, 'ports'>,
  workspace: Pick<Workspace, 'id'>,
): () => Promise<readonly Envelope[]> {
  const seenIds = new Set<string>()
  return async () => {
    const newDeliveries = (await listDeliveries(service, workspace)).filter(({ id }) => !seenIds.has(id))
    for (const { id } of newDeliveries) seenIds.add(id)
    const snapshots = await service.ports.storage.read((tx) => tx.workspace(workspace.id).snapshots.find([]))
    const entities = new Map(snapshots.map(({ id, entity }) => [id, entity]))
    return newDeliveries.map(({ id, event, created_at, snapshot_id }) => ({
      ...{ id, event, version: 'v1', created_at },
      ...(JSON.parse(`{${entities.get(snapshot_id)}`) as object),
    }))
  }
}
