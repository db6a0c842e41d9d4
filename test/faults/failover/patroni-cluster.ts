import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFolder } from '../../programs-setup.ts'
import { waitUntil } from '../outage.ts'
import { queryDatabase } from '../sessions.ts'
import { DatabaseServer, startEtcd, startProxy } from './database-server.ts'
import { createNetworks, removeNetworks } from './networks.ts'
import { PORTS } from './settings.ts'

const SERVER_NUMBERS = [1, 2, 3]
const STANDBY_COUNT = SERVER_NUMBERS.length - 1
/** The timeout ends a wait as a failure. A former leader that rejoins needs the longest. */
const WAIT = { timeoutMs: 120_000, pauseMs: 200 }
const LOG_LENGTH = 2_000

export interface PatroniClusterOptions {
  /** True if a commit waits until a standby has it, and as long as there is none. */
  readonly isSynchronous: boolean
  /** Called with a line for each step of the start. */
  readonly onProgress: (step: string) => void
}

/**
 * Three PostgreSQL servers under Patroni, with etcd, behind HAProxy. Each of the five is a machine with addresses of
 * its own. Requires root.
 */
export class PatroniCluster {
  readonly #servers: readonly DatabaseServer[]
  readonly #proxyAddress: string
  readonly #isSynchronous: boolean
  readonly #remove: () => void

  private constructor(
    servers: readonly DatabaseServer[],
    proxyAddress: string,
    isSynchronous: boolean,
    remove: () => void,
  ) {
    this.#servers = servers
    this.#proxyAddress = proxyAddress
    this.#isSynchronous = isSynchronous
    this.#remove = remove
  }

  /** @throws Error with the end of each server's log if the cluster does not start */
  static async start({ isSynchronous, onProgress }: PatroniClusterOptions): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'crm-failover-'))
    chmodSync(folder, 0o755)
    const networks = await createNetworks()
    const remove = () => {
      removeNetworks(networks.prefix)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    }
    process.once('exit', remove)
    const servers: DatabaseServer[] = []
    try {
      onProgress('etcd and the first server start')
      const options = {
        etcdAddress: await startEtcd(networks, folder),
        programs: findFolder('pg_rewind')!,
        isSynchronous,
      }
      for (const number of SERVER_NUMBERS)
        servers.push(await DatabaseServer.start(networks, folder, number, options))
      const proxyAddress = await startProxy(networks, folder, servers)
      const cluster = new PatroniCluster(servers, proxyAddress, isSynchronous, () => {
        process.off('exit', remove)
        remove()
      })
      await waitUntil('HAProxy has a leader', () => cluster.#hasLeader(), WAIT)
      onProgress('the first server is the leader, and the others copy it')
      await cluster.waitUntilComplete()
      onProgress('both standbys follow the leader')
      return cluster
    } catch (error) {
      const logs = servers.map((server) => `${server.name}:\n${server.readLog().slice(-LOG_LENGTH)}`)
      remove()
      throw new Error(`The cluster did not start.\n${logs.join('\n')}`, { cause: error })
    }
  }

  /** The database of the leader, through HAProxy. */
  get proxyUrl(): string {
    return formatUrl([this.#proxyAddress])
  }

  /** The same database, with the addresses of all servers. */
  get hostsUrl(): string {
    return formatUrl(this.#servers.map(({ address }) => `${address}:${PORTS.postgres}`))
  }

  /** Waits until both standbys follow the leader and, if the cluster is synchronous, commits wait for one of them. */
  async waitUntilComplete(): Promise<void> {
    await waitUntil('both standbys follow the leader', () => this.#isComplete(), WAIT)
  }

  /** Returns the leader that HAProxy has chosen. */
  async findLeader(): Promise<DatabaseServer> {
    const [row] = await queryDatabase<{ address: string }>(
      this.proxyUrl,
      'select host(inet_server_addr()) as address where not pg_is_in_recovery()',
    )
    const leader = this.#servers.find(({ address }) => address === row?.address)
    if (!leader) throw new Error('There is no leader.')
    return leader
  }

  /** Waits until another server is the leader. */
  async waitForOtherLeader(former: DatabaseServer): Promise<void> {
    const hasOther = () =>
      this.findLeader().then(
        (leader) => leader !== former,
        () => false,
      )
    await waitUntil(`another server than ${former.name} is the leader`, hasOther, WAIT)
  }

  /** Kills all processes and removes everything that was created. */
  stop(): void {
    this.#remove()
  }

  #hasLeader(): Promise<boolean> {
    return this.findLeader().then(Boolean, () => false)
  }

  async #isComplete(): Promise<boolean> {
    const leader = await this.findLeader().catch(() => undefined)
    if (!leader) return false
    const standbys = await queryDatabase<{ state: string }>(
      this.proxyUrl,
      "select state from pg_stat_replication where application_name like 'server%'",
    ).catch(() => [])
    const isStreaming = standbys.filter(({ state }) => state === 'streaming').length === STANDBY_COUNT
    // Only this standby can be promoted. Patroni records it after PostgreSQL has begun to wait for it.
    const isConfirmed = !this.#isSynchronous || (await leader.listRoles()).includes('sync_standby')
    return isStreaming && isConfirmed
  }
}

function formatUrl(addresses: readonly string[]): string {
  return `postgres://postgres@${addresses.join(',')}/postgres`
}
