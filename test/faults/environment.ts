import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Crm, createCrm, type EventName } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { ISSUER, OWNER_EMAIL, openStorage, SECRET_KEY, SLUG, tokenFor } from '../../bench/data.ts'
import { trustSettings } from '../../bench/deliveries/receiving.ts'
import type { Server } from '../../bench/processes.ts'
import type { DatabaseName } from '../../bench/rows.ts'
import { startService } from '../../bench/servers.ts'
import { startPostgres, type TestPostgres } from '../../packages/postgres/test/embedded-postgres.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** A workspace on a database of its own, and whatever a fault needs to break it. */
export interface FaultEnvironment extends WorkspaceAccess {
  readonly database: DatabaseName
  /** Gone with the place. */
  readonly folder: string
  /** The server that the database is on, to be ended and started again. Undefined on SQLite. */
  readonly postgres: Pick<TestPostgres, 'down' | 'up'> | undefined
  /**
   * The service as `npm start` runs it, with its limits off, and allowed to send to receivers on this
   * machine. As many as are asked for; what still runs at the end is killed. `program` is another version of
   * it.
   */
  start(settings?: Readonly<Record<string, string>>, databaseUrl?: string, program?: string): Promise<Server>
  /** Looks into the database past the service, with the service running or not. */
  look<T>(work: (core: CoreAccess) => Promise<T>): Promise<T>
  /** A receiver for as long as the place is there. Nobody sends to it before `subscribe`. */
  receive(): Promise<Receiver>
  /**
   * Has the workspace's changes told to an address. To be done before they are made: all that are kept must
   * then be told.
   */
  subscribe(url: string, events?: readonly EventName[]): Promise<void>
  /** The same place with another workspace on another database. */
  at(inhabited: WorkspaceAccess): FaultEnvironment
}

/** A workspace, and the way to it. */
export interface WorkspaceAccess {
  /** Durable as its defaults are: what it acknowledges is on the disk. */
  readonly databaseUrl: string
  /** Of a client that may do everything. */
  readonly token: string
  readonly workspaceId: string
}

export interface CoreAccess {
  readonly crm: Crm
  readonly storage: Storage
}

/** All that the writers' writes cause, but for what they prepare. */
export const WRITER_EVENTS: readonly EventName[] = [
  'task.created',
  'task.updated',
  'deal.created',
  'deal.updated',
  'deal.stage_changed',
  'person.created',
]

/**
 * Makes a place, has work done in it, and leaves nothing behind. `undefined` on a machine without PostgreSQL.
 */
export async function withEnvironment<T>(
  database: DatabaseName,
  work: (place: FaultEnvironment) => Promise<T>,
): Promise<T | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-fault-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Where a signal ends this process before its work is done.
  process.once('exit', remove)
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : undefined
  const running: Server[] = []
  const receivers: Receiver[] = []
  const trust = trustSettings(folder)

  function createEnvironment(inhabited: WorkspaceAccess): FaultEnvironment {
    const { databaseUrl } = inhabited
    return {
      ...inhabited,
      database,
      folder,
      postgres,
      async start(settings = {}, url = databaseUrl, program?) {
        const server = await startService(url, folder, [], { ...trust, ...settings }, program)
        running.push(server)
        return server
      },
      look: (each) => withCore(databaseUrl, each),
      async receive() {
        const receiver = await startReceiver()
        receivers.push(receiver)
        return receiver
      },
      subscribe: (url, events = WRITER_EVENTS) =>
        withCore(databaseUrl, ({ crm }) => createSubscription(crm, url, events)),
      at: createEnvironment,
    }
  }

  try {
    if (database === 'postgres' && !postgres) return undefined
    const databaseUrl = postgres?.url ?? `sqlite:${join(folder, 'crm.db')}`
    const workspaceId = await withCore(databaseUrl, async ({ crm: { operator } }) => {
      await operator.createWorkspace({
        name: 'Bench',
        slug: SLUG,
        owner_name: 'Olga',
        owner_email: OWNER_EMAIL,
      })
      return (await operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })).workspaceId
    })
    return await work(createEnvironment({ databaseUrl, workspaceId, token: await tokenFor(databaseUrl) }))
  } finally {
    await Promise.all(running.map((server) => server.kill()))
    for (const receiver of receivers) receiver.end()
    await postgres?.stop()
    remove()
    process.off('exit', remove)
  }
}

async function withCore<T>(databaseUrl: string, work: (core: CoreAccess) => Promise<T>): Promise<T> {
  const storage = await openStorage(databaseUrl)
  try {
    const ports = nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER, outbound: { allowPrivate: true } })
    return await work({ crm: createCrm({ ...ports, storage }), storage })
  } finally {
    await storage.close()
  }
}

async function createSubscription(
  { operator, webhooks }: Crm,
  url: string,
  events: readonly EventName[],
): Promise<void> {
  const actor = await operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })
  await webhooks.create(actor, { url, events: [...events], auth_enable: true })
}
