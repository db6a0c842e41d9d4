import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Crm, createCrm, type EventName } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { createAccessToken, ISSUER, OWNER_EMAIL, SECRET_KEY, SLUG } from '../../bench/data.ts'
import { type DatabaseName, openStorage } from '../../bench/databases.ts'
import { trustSettings } from '../../bench/deliveries/receiving.ts'
import type { Server } from '../../bench/processes.ts'
import { startService } from '../../bench/servers.ts'
import { startPostgres, type TestPostgres } from '../../packages/postgres/test/embedded-postgres.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** A workspace on a database of its own, with the means to inject failures. */
export interface FaultEnvironment extends WorkspaceAccess {
  readonly database: DatabaseName
  /** Deleted with the environment. */
  readonly folder: string
  /** Stops and restarts the database server. Undefined on SQLite. */
  readonly postgres: TestPostgres | undefined
  /**
   * Starts a process of the service as `npm start` does, with rate limits off and deliveries to this machine
   * allowed. Any number may run. Processes still running at the end are killed.
   * @param program the entry point of another version of the service
   * @param outputFile a file for the standard output
   */
  startService(
    settings?: Readonly<Record<string, string>>,
    databaseUrl?: string,
    program?: string,
    outputFile?: string,
  ): Promise<Server>
  /** Runs `work` on the database in this process, whether or not the service runs. */
  withCore<T>(work: (core: CoreAccess) => Promise<T>): Promise<T>
  /** Starts a webhook receiver, which ends with the environment. It gets no deliveries before `subscribe`. */
  startReceiver(): Promise<Receiver>
  /**
   * Creates a webhook. It must exist before the writers start: `expectStored` requires a delivery for each
   * event of each stored change.
   */
  subscribe(url: string, events?: readonly EventName[]): Promise<void>
  /** Returns the same environment with another workspace on another database. */
  forWorkspace(access: WorkspaceAccess): FaultEnvironment
}

/** A workspace and the credentials for it. */
export interface WorkspaceAccess {
  /** A database with its default durability: acknowledged writes are on the disk. */
  readonly databaseUrl: string
  /** An access token with every scope. */
  readonly token: string
  readonly workspaceId: string
}

export interface CoreAccess {
  readonly crm: Crm
  readonly storage: Storage
}

/** Every event that the writers cause, except those of tags and pipelines. */
export const WRITER_EVENTS: readonly EventName[] = [
  'task.created',
  'task.updated',
  'deal.created',
  'deal.updated',
  'deal.stage_changed',
  'person.created',
]

/**
 * Creates an environment, runs `work` in it and removes everything it created.
 * @returns undefined on a machine without PostgreSQL
 */
export async function withEnvironment<T>(
  database: DatabaseName,
  work: (environment: FaultEnvironment) => Promise<T>,
): Promise<T | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-fault-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Also removes the folder if a signal ends this process before `work` is done.
  process.once('exit', remove)
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : undefined
  const services: Server[] = []
  const receivers: Receiver[] = []
  const trust = trustSettings(folder)

  function createEnvironment(access: WorkspaceAccess): FaultEnvironment {
    const { databaseUrl } = access
    return {
      ...access,
      database,
      folder,
      postgres,
      async startService(settings = {}, url = databaseUrl, program?, outputFile?) {
        const server = await startService(url, folder, [], { ...trust, ...settings }, program, outputFile)
        services.push(server)
        return server
      },
      withCore: (useCore) => withCore(databaseUrl, useCore),
      async startReceiver() {
        const receiver = await startReceiver()
        receivers.push(receiver)
        return receiver
      },
      subscribe: (url, events = WRITER_EVENTS) =>
        withCore(databaseUrl, ({ crm }) => createSubscription(crm, url, events)),
      forWorkspace: createEnvironment,
    }
  }

  try {
    if (database === 'postgres' && !postgres) return undefined
    const databaseUrl = postgres?.url ?? `sqlite:${join(folder, 'crm.db')}`
    return await work(createEnvironment(await createWorkspace(databaseUrl)))
  } finally {
    await Promise.all(services.map((server) => server.kill()))
    for (const receiver of receivers) receiver.stop()
    await postgres?.stop()
    remove()
    process.off('exit', remove)
  }
}

/** Creates a workspace on an empty database. */
export async function createWorkspace(databaseUrl: string): Promise<WorkspaceAccess> {
  const workspaceId = await withCore(databaseUrl, async ({ crm: { operator } }) => {
    await operator.createWorkspace({
      name: 'Bench',
      slug: SLUG,
      owner_name: 'Olga',
      owner_email: OWNER_EMAIL,
    })
    return (await operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })).workspaceId
  })
  return { databaseUrl, workspaceId, token: await createAccessToken(databaseUrl) }
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
