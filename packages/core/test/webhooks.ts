import { EVENT_NAMES } from '../src/index.ts'
import type { Ports, Records } from '../src/ports/index.ts'
import type { Storage } from '../src/ports/storage.ts'
import { createTestCrm } from './harness.ts'

type Webhook = Records['webhooks']
type Delivery = Records['deliveries']

/** Inserts a webhook. Defaults: owned by the workspace, without a secret, subscribed to all events. */
export async function insertWebhook(
  { storage, now, newId }: Pick<Ports, 'storage' | 'now' | 'newId'>,
  workspaceId: string,
  { url = 'https://receiver.example/hook', ...values }: Partial<Webhook> = {},
): Promise<Webhook> {
  const at = now()
  const { host } = new URL(url)
  const defaults = {
    id: newId(),
    client_id: null,
    creator_user_id: null,
    events: EVENT_NAMES,
    sealed_secret: null,
    created_at: at,
    updated_at: at,
  }
  const webhook: Webhook = { ...defaults, url, host, ...values }
  await storage.transact((tx) => tx.workspace(workspaceId).webhooks.insert(webhook))
  return webhook
}

/** Returns the deliveries of a workspace in insertion order. */
export function listDeliveries(storage: Storage, workspaceId: string): Promise<readonly Delivery[]> {
  return storage.read((tx) => tx.workspace(workspaceId).deliveries.find([]))
}

/** Returns the snapshots of a workspace in insertion order. */
export function listSnapshots(
  storage: Storage,
  workspaceId: string,
): Promise<readonly Records['snapshots'][]> {
  return storage.read((tx) => tx.workspace(workspaceId).snapshots.find([]))
}

/** Returns the events sent to subscribers, each with its snapshot. */
export async function listEvents(
  storage: Storage,
  workspaceId: string,
): Promise<(readonly [event: string, snapshot: unknown])[]> {
  const snapshots = new Map((await listSnapshots(storage, workspaceId)).map(({ id, entity }) => [id, entity]))
  return (await listDeliveries(storage, workspaceId)).map(
    ({ event, snapshot_id }) => [event, JSON.parse(`{${snapshots.get(snapshot_id)}`)] as const,
  )
}

/** Creates a workspace `acme` with a webhook for all events. */
export async function createWebhookListener(overrides: Partial<Ports> = {}) {
  const base = await createTestCrm(overrides)
  await insertWebhook(base.ports, base.owner.workspaceId)
  let seenCount = 0
  /** Returns the events since the previous call. */
  async function newEvents() {
    const all = await listEvents(base.storage, base.owner.workspaceId)
    const events = all.slice(seenCount)
    seenCount = all.length
    return events
  }
  return { ...base, newEvents, newEventNames: async () => (await newEvents()).map(([event]) => event) }
}
