import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Crm, createCrm } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { startPostgres } from '../../packages/postgres/test/postgres.ts'
import { ISSUER, OWNER_EMAIL, openStorage, SECRET_KEY, SLUG, tokenFor } from '../data.ts'
import type { Server } from '../processes.ts'
import type { DatabaseName } from '../rows.ts'
import { startService } from '../servers.ts'

/** A workspace on a database of its own, and whatever a fault needs to break it. */
export interface Place {
  readonly database: DatabaseName
  /** Durable as its defaults are: what it acknowledges is on the disk. */
  readonly databaseUrl: string
  /** Gone with the place. */
  readonly folder: string
  /** Of a client that may do everything. */
  readonly token: string
  readonly workspaceId: string
  /** The service as `npm start` runs it, with its limits off. As many as are asked for; what still runs at the end is killed. */
  start(settings?: Readonly<Record<string, string>>, databaseUrl?: string): Promise<Server>
  /** Looks into the database past the service, with the service running or not. */
  look<T>(work: (core: { readonly crm: Crm; readonly storage: Storage }) => Promise<T>): Promise<T>
}

/** Makes a place, has work done in it, and leaves nothing behind. `undefined` on a machine without PostgreSQL. */
export async function inPlace<T>(database: DatabaseName, work: (place: Place) => Promise<T>, receiver?: string): Promise<T | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-fault-'))
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : undefined
  const running: Server[] = []
  try {
    if (database === 'postgres' && !postgres) return undefined
    const databaseUrl = postgres?.url ?? `sqlite:${join(folder, 'crm.db')}`
    const place = { database, databaseUrl, folder, start, look: (each: Parameters<Place['look']>[0]) => looked(databaseUrl, each) }
    const workspaceId = await looked(databaseUrl, async ({ crm: { operator } }) => {
      await operator.createWorkspace({ name: 'Bench', slug: SLUG, owner_name: 'Olga', owner_email: OWNER_EMAIL })
      return (await operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })).workspaceId
    })
    const token = await tokenFor(databaseUrl, receiver)
    return await work({ ...place, workspaceId, token } as Place)

    async function start(settings: Readonly<Record<string, string>> = {}, url = databaseUrl): Promise<Server> {
      const server = await startService(url, folder, [], settings)
      running.push(server)
      return server
    }
  } finally {
    await Promise.all(running.map((server) => server.kill()))
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function looked<T>(databaseUrl: string, work: (core: { readonly crm: Crm; readonly storage: Storage }) => Promise<T>): Promise<T> {
  const storage = await openStorage(databaseUrl)
  try {
    return await work({ crm: createCrm({ ...nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER }), storage }), storage })
  } finally {
    await storage.close()
  }
}
