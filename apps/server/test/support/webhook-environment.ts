import type { Records, Storage } from '@sales-crm/core/ports'
import { onTestFinished } from 'vitest'
import { type OpenStore, openStore } from '../../src/process/open-store.ts'
import { loadSettings } from '../../src/process/settings.ts'
import type { DatabaseLocation } from './database-location.ts'
import { freePort, type OnFinished, startService, temporaryFolder } from './service-process.ts'

type Env = Readonly<Record<string, string>>
export type Delivery = Records['deliveries']

const UNLIMITED = {
  RATE_LIMIT_GET: '0',
  RATE_LIMIT_POST: '0',
  RATE_LIMIT_PATCH: '0',
  RATE_LIMIT_DELETE: '0',
}

/**
 * Creates a database with a workspace and an app, and functions that use it through processes of the service.
 */
export async function createWebhookEnvironment(
  { driver, location }: DatabaseLocation,
  receiver: { readonly ca: string },
  finished: OnFinished = onTestFinished,
) {
  const env = {
    ...UNLIMITED,
    DATABASE_URL: driver === 'sqlite' ? `sqlite:${location}` : location,
    DATABASE_POOL: '4',
    DATA_DIR: await temporaryFolder(finished),
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    BASE_URL: 'http://127.0.0.1:3000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: receiver.ca,
  }
  const store = await openStore(loadSettings(env), { isServer: false })
  const { token, workspace_id, actor } = await createTestWorkspace(store)
  await store.close()

  async function send(address: string, method: string, path: string, body?: object, headers: Env = {}) {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { data = {} } =
      response.status === 204
        ? {}
        : ((await response.json()) as { readonly data?: Readonly<Record<string, unknown>> })
    return { status: response.status, data }
  }

  return {
    token,
    workspace_id,
    actor,
    send,
    /** Opens another store on the database in this process, without a server. */
    async open(): Promise<OpenStore> {
      const database = await openStore(loadSettings(env), { isServer: false })
      finished(() => database.close())
      return database
    },
    /** Starts a process of the service on the database. */
    async start(more: Env = {}) {
      return startService({ PORT: String(await freePort()), ...env, ...more }, finished)
    },
    /** Creates a webhook and returns the response, the only one with the secret. */
    async subscribe(address: string, url: string, events: readonly string[] = ['task.created']) {
      const { status, data } = await send(address, 'POST', '/v1/webhooks', { url, events, auth_enable: true })
      if (status !== 201) throw new Error(`No webhook: ${status}`)
      return data as { readonly id: string; readonly webhook_secret: string }
    },
    async createTask(address: string, title = 'Call'): Promise<string> {
      const { status, data } = await send(address, 'POST', '/v1/tasks', { title })
      if (status !== 201) throw new Error(`No task: ${status}`)
      return String(data['id'])
    },
    deliveries: (storage: Storage): Promise<readonly Delivery[]> =>
      storage.read((tx) => tx.workspace(workspace_id).deliveries.find([])),
    /** Returns the request body of a delivery, built from the stored snapshot. */
    body: (storage: Storage, { id, event, created_at, snapshot_id }: Delivery): Promise<string> =>
      storage.read(async (tx) => {
        const { entity } = (await tx.workspace(workspace_id).snapshots.get(snapshot_id))!
        return `{"id":"${id}","event":"${event}","version":"v1","created_at":"${created_at}",${entity}`
      }),
    /** Makes deliveries with a lease due again, as if the lease had expired. */
    async expireLeases(storage: Storage): Promise<void> {
      await storage.transact(async (tx) => {
        const { deliveries } = tx.workspace(workspace_id)
        for (const delivery of await deliveries.find([{ field: 'sending', is: true }])) {
          await deliveries.update({ ...delivery, due_at: new Date().toISOString() })
        }
      })
    },
  }
}

export type WebhookEnvironment = Awaited<ReturnType<typeof createWebhookEnvironment>>

interface PendingDeliveries {
  readonly snapshot: Records['snapshots']
  readonly deliveries: readonly Delivery[]
}

/** Builds pending deliveries of one change, for bulk inserts. */
export function pendingDeliveries(count: number, webhook_id: string, newId: () => string): PendingDeliveries {
  const at = new Date().toISOString()
  const stamps = { created_at: at, updated_at: at }
  const snapshot = { id: newId(), entity: '"task":{"title":"Call"}}', subject: null, ...stamps }
  const deliveries = Array.from(
    { length: count },
    (): Delivery => ({
      id: newId(),
      webhook_id,
      event: 'task.created',
      snapshot_id: snapshot.id,
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
  return { snapshot, deliveries }
}

/** Uses unique names, because tests may share a database. */
async function createTestWorkspace({ crm: { operator }, ports }: OpenStore) {
  const slug = `w-${ports.newId()}`
  const email = `olga@${slug}.example`
  const { id: workspace_id } = await operator.createWorkspace({
    name: 'Acme',
    slug,
    owner_name: 'Olga',
    owner_email: email,
  })
  const app = { name: 'Sync', email, redirect_uris: ['https://app.example/cb'], scopes: [...operator.scopes] }
  const { client_id } = await operator.createApp(app)
  const { access_token: token } = await operator.createToken({
    workspace: slug,
    client_id,
    user_email: email,
  })
  return {
    workspace_id,
    token,
    actor: await operator.actorFor({ workspace: slug, email, clientId: client_id }),
  }
}
