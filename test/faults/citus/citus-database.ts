import {
  type CitusServer,
  type CitusServers,
  createCitusDatabase,
  dropCitusDatabase,
  listWorkers,
} from '../../../bench/citus.ts'
import { waitUntil } from '../outage.ts'
import { queryDatabase } from '../sessions.ts'

const RESTART_TIMEOUT_MS = 60_000
/**
 * Kills all processes of the server, and starts it again. It closes the files that it inherits, or the
 * connection that it is run by would stay open.
 */
const RESTART = (seconds: number) => String.raw`
  pg_ctl=$(dirname "$(readlink "/proc/$PPID/exe")")/pg_ctl
  folder=$(readlink "/proc/$PPID/cwd")
  setsid bash -c "
    for file in /proc/\$\$/fd/*; do fd=\${file##*/}; if ((fd > 2)); then eval \"exec \$fd>&-\"; fi; done
    read -r pid < $folder/postmaster.pid
    kill -9 \$pid \$(cat /proc/\$pid/task/\$pid/children)
    sleep ${seconds}
    $pg_ctl -D $folder -l $folder/log start" > /dev/null 2>&1 < /dev/null &`

/** A database on servers of Citus that run already. It is deleted at the end. */
export class CitusDatabase {
  readonly #servers: CitusServers

  private constructor(servers: CitusServers) {
    this.#servers = servers
  }

  /**
   * @param clusterUrl any database of the coordinator
   * @throws Error if it knows fewer than two workers
   */
  static async create(clusterUrl: string): Promise<CitusDatabase> {
    const { length } = await listWorkers(clusterUrl)
    if (length < 2) throw new Error(`CITUS_URL must have two workers or more, and has ${length}.`)
    return new CitusDatabase(await createCitusDatabase(clusterUrl, length))
  }

  get coordinator(): CitusServer {
    return this.#servers.coordinator
  }

  get workers(): readonly CitusServer[] {
    return this.#servers.workers
  }

  get url(): string {
    return this.coordinator.url
  }

  /** The worker that has the rows of a workspace. */
  async findWorker(workspaceId: string): Promise<CitusServer> {
    const [placement] = await queryDatabase<{ port: number }>(
      this.url,
      `select nodeport::integer as port from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('deals', $1::uuid)`,
      [workspaceId],
    )
    return this.workers.find(({ port }) => port === placement?.port)!
  }

  /** Moves the shards with the rows of a workspace to a worker, while they are read and written. */
  async moveWorkspace(workspaceId: string, to: CitusServer): Promise<void> {
    const from = await this.findWorker(workspaceId)
    await queryDatabase(
      this.url,
      `select citus_move_shard_placement(
         get_shard_id_for_distribution_column('deals', $1::uuid), $2, $3, $4, $5, shard_transfer_mode := 'force_logical')`,
      [workspaceId, from.host, from.port, to.host, to.port],
    )
  }

  /** Crashes a server, which is down for some seconds. Requires a superuser, on a server that runs on Linux. */
  async restart(server: CitusServer, seconds: number): Promise<void> {
    await queryDatabase(server.url, `copy (select) to program ${quote(RESTART(seconds))}`)
    await waitUntil('the server is down', async () => !(await answers(server)))
  }

  waitUntilUp(server: CitusServer): Promise<void> {
    return waitUntil('the server is up', () => answers(server), { timeoutMs: RESTART_TIMEOUT_MS })
  }

  /** Ends the second phase of commits whose coordinator crashed, which Citus does once in a minute. */
  async recoverTransactions(): Promise<void> {
    await queryDatabase(this.url, 'select recover_prepared_transactions()')
    for (const { url } of this.workers) {
      const prepared = await queryDatabase(
        url,
        'select gid from pg_prepared_xacts where database = current_database()',
      )
      if (prepared.length > 0) throw new Error(`${prepared.length} transactions stay prepared.`)
    }
  }

  /** Drops the shards that moves have left on their former workers, which Citus does later. */
  async dropFormerShards(): Promise<void> {
    await queryDatabase(this.url, 'call citus_cleanup_orphaned_resources()')
  }

  async drop(): Promise<void> {
    for (const server of [this.coordinator, ...this.workers]) await this.waitUntilUp(server)
    await dropCitusDatabase(this.#servers)
  }
}

async function answers({ url }: CitusServer): Promise<boolean> {
  return queryDatabase(url, 'select').then(
    () => true,
    () => false,
  )
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
