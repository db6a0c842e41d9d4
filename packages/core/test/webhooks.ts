import { EVENT_NAMES } from '../src/index.ts'
import type { Ports, Records } from '../src/ports/index.ts'
import type { Storage } from '../src/ports/storage.ts'
import { createTestCrm } from './harness.ts'

type Webhook = Records['webhooks']
type Delivery = Records['deliveries']

/** A webhook as it is kept: the workspace's own, without a secret and of all events, but for what is said. */
export async function insertWebhook(
  { storage, now, newId }: Pick<Ports, 'storage' | 'now' | 'newId'>,
  workspaceId: string,
  { url = 'https://receiver.example/hook', ...wanted }: Partial<Webhook> = {},
): Promise<Webhook> {
  const at = now()
  const { host } = new URL(url)
  const plain = {
    id: newId(),
    client_id: null,
    events: EVENT_NAMES,
    sealed_secret: null,
    created_at: at,
    updated_at: at,
  }
  const webhook: Webhook = { ...plain, url, host, ...wanted }
  await storage.transact((tx) => tx.workspace(workspaceId).webhooks.insert(webhook))
  return webhook
}

/** All that was put in the outbox in a workspace, in that order. */
export function listDeliveries(storage: Storage, workspaceId: string): Promise<readonly Delivery[]> {
  return storage.read((tx) => tx.workspace(workspaceId).deliveries.find([]))
}

/** What is kept of changes for deliveries to tell, in that order. */
export function listSnapshots(
  storage: Storage,
  workspaceId: string,
): Promise<readonly Records['snapshots'][]> {
  return storage.read((tx) => tx.workspace(workspaceId).snapshots.find([]))
}

/** What subscribers were told: each event, and what it told of. */
export async function listEvents(
  storage: Storage,
  workspaceId: string,
): Promise<(readonly [event: string, snapshot: unknown])[]> {
  const snapshots = new Map((await listSnapshots(storage, workspaceId)).map(({ id, entity }) => [id, entity]))
  return (await listDeliveries(storage, workspaceId)).map(
    ({ event, snapshot_id }) => [event, JSON.parse(`{${snapshots.get(snapshot_id)}`)] as const,
  )
}

/** An office whose workspace `acme` has a webhook of all events. */
export async function createWebhookListener(special: Partial<Ports> = {}) {
  const base = await createTestCrm(special)
  await insertWebhook(base.ports, base.owner.workspaceId)
  let heard = 0
  /** What was told since this was last asked. */
  async function newEvents() {
    const all = await listEvents(base.storage, base.owner.workspaceId)
    const news = all.slice(heard)
    heard = all.length
    return news
  }
  return { ...base, told: newEvents, names: async () => (await newEvents()).map(([event]) => event) }
}
