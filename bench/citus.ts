import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connectPostgres, withDatabaseName } from './databases.ts'

/** A server of Citus, with the URL of a database on it. */
export interface CitusServer {
  readonly host: string
  readonly port: number
  readonly url: string
}

/** A database on servers of Citus. */
export interface CitusServers {
  readonly coordinator: CitusServer
  readonly workers: readonly CitusServer[]
}

/** Lists the workers that a coordinator knows. */
export function listWorkers(clusterUrl: string): Promise<Pick<CitusServer, 'host' | 'port'>[]> {
  return query(
    clusterUrl,
    'select node_name as host, node_port::integer as port from citus_get_active_worker_nodes() order by 2, 1',
  )
}

/**
 * Creates an empty database on the coordinator and on some of its workers.
 * @param clusterUrl any database of the coordinator that knows the workers
 * @param workerCount without workers, the database does not have the extension
 */
export async function createCitusDatabase(clusterUrl: string, workerCount: number): Promise<CitusServers> {
  const name = `crm_${randomBytes(6).toString('hex')}`
  const onServer = (host: string, port: number): CitusServer => {
    const url = new URL(withDatabaseName(clusterUrl, name))
    return { host, port, url: Object.assign(url, { hostname: host, port: String(port) }).href }
  }
  const { hostname, port } = new URL(clusterUrl)
  const coordinator = onServer(hostname, Number(port || pg.defaults.port))
  const workers = (await listWorkers(clusterUrl))
    .slice(0, workerCount)
    .map((worker) => onServer(worker.host, worker.port))
  for (const { url } of [coordinator, ...workers]) {
    await query(withDatabaseName(url, 'postgres'), `create database ${name}`)
    if (workers.length > 0) await query(url, 'create extension citus')
  }
  if (workers.length > 0)
    await query(coordinator.url, 'select citus_set_coordinator_host($1, $2)', [
      coordinator.host,
      coordinator.port,
    ])
  for (const worker of workers)
    await query(coordinator.url, 'select citus_add_node($1, $2)', [worker.host, worker.port])
  return { coordinator, workers }
}

export async function dropCitusDatabase({ coordinator, workers }: CitusServers): Promise<void> {
  const name = new URL(coordinator.url).pathname.slice(1)
  for (const { url } of [coordinator, ...workers])
    await query(withDatabaseName(url, 'postgres'), `drop database ${name} with (force)`)
}

async function query<R extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const client = await connectPostgres(url)
  try {
    return (await client.query<R>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}
