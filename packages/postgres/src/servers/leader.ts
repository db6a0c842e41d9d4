import pg from 'pg'
import { splitHosts } from './split-hosts.ts'

/** Milliseconds for one server to answer, while others may be the leader. */
const PROBE_TIMEOUT = 2000
/** Milliseconds between two checks. */
const CHECK_INTERVAL = 1000
/** Two starts of servers never have the same. */
export const SERVER_START = 'extract(epoch from pg_postmaster_start_time())::text'
const STATE = `pg_is_in_recovery() as is_standby, ${SERVER_START} as started_at`
/** The first eight digits of a file of the log are its timeline, which a standby's promotion increases. */
const TIMELINE =
  'case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end'

export interface Address {
  readonly host: string
  readonly port: number
}

interface ServerState {
  readonly is_standby: boolean
  readonly started_at: string
  /** Hexadecimal; null if the server is a standby, or the only one. */
  readonly timeline: string | null
}

/**
 * The server of a URL that takes writes. All clients of a process are connected to the same one: those of a
 * former leader, which may still answer with old records, are disconnected when another is found.
 */
export class Leader {
  readonly #urls: readonly [string, ...string[]]
  readonly #stateQuery: pg.QueryConfig & { readonly query_timeout: number }
  readonly #clients = new Set<pg.Client>()
  #startedAt: string | undefined
  #timeline = ''
  #search: Promise<Address> | undefined
  #checkedAt = -Infinity

  /** @param url with one host or several */
  constructor(url: string) {
    this.#urls = splitHosts(url)
    const timeline = this.#urls.length > 1 ? TIMELINE : 'null'
    this.#stateQuery = { text: `select ${STATE}, ${timeline} as timeline`, query_timeout: PROBE_TIMEOUT }
  }

  /** With the first of the hosts. */
  get url(): string {
    return this.#urls[0]
  }

  /**
   * Asks all servers at once.
   * @returns the address of the first that takes writes; undefined if there is only one server
   * @throws Error with the code `NO_LEADER`
   */
  async find(config: pg.ClientConfig): Promise<Address | undefined> {
    if (this.#urls.length === 1) return undefined
    this.#search ??= this.#askAll(config).finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  /**
   * Checks a client that has just connected.
   * @throws Error with the code `NO_LEADER` if its server is a standby or a former leader
   */
  async admit(client: pg.Client): Promise<void> {
    this.#accept(await this.#readState(client))
    this.#clients.add(client)
    client.once('end', () => this.#clients.delete(client))
  }

  /** Called after the server has refused a write. Disconnects all clients if there is no leader. */
  async checkAfterRefusal(config: pg.ClientConfig): Promise<void> {
    await this.#check(config).catch((error) => {
      if (isNoLeader(error)) this.#disconnectAll()
    })
  }

  /** Called when the server has not answered for a while. It may be slow: only another leader takes its place. */
  async checkAfterSilence(config: pg.ClientConfig): Promise<void> {
    await this.#check(config).catch(() => {})
  }

  /** Disconnects all clients if another leader is found. */
  async #check(config: pg.ClientConfig): Promise<void> {
    if (performance.now() < this.#checkedAt + CHECK_INTERVAL) return
    this.#checkedAt = performance.now()
    await this.#askAll(config)
  }

  async #askAll(config: pg.ClientConfig): Promise<Address> {
    try {
      return await Promise.any(this.#urls.map((url) => this.#ask(url, config)))
    } catch (error) {
      const { errors } = error as { readonly errors: readonly Error[] }
      if (errors.length === 1) throw errors[0]
      const reasons = errors.map(({ message }, index) => `${new URL(this.#urls[index]!).host}: ${message}`)
      throw noLeaderError(`no server takes writes (${reasons.join('; ')})`)
    }
  }

  async #ask(url: string, config: pg.ClientConfig): Promise<Address> {
    const client = new pg.Client({
      ...config,
      connectionString: url,
      connectionTimeoutMillis: PROBE_TIMEOUT,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      this.#accept(await this.#readState(client))
      return { host: client.host, port: client.port }
    } finally {
      void client.end().catch(() => {})
    }
  }

  async #readState(client: pg.Client): Promise<ServerState> {
    const { rows } = await client.query<ServerState>(this.#stateQuery)
    return rows[0]!
  }

  #accept({ is_standby, started_at, timeline }: ServerState): void {
    if (is_standby) throw noLeaderError('the server is a standby')
    if (timeline !== null && timeline < this.#timeline) throw noLeaderError('the server is a former leader')
    if (started_at !== this.#startedAt) this.#disconnectAll()
    this.#startedAt = started_at
    this.#timeline = timeline ?? ''
  }

  #disconnectAll(): void {
    for (const client of this.#clients) disconnect(client, 'The server no longer takes writes.')
    this.#clients.clear()
  }
}

/** Fails the pending statements of a client at once, before results that have arrived with this message are read. */
export function disconnect({ connection }: pg.Client, reason: string): void {
  connection.emit('error', new Error(reason))
  connection.stream.destroy()
}

function noLeaderError(message: string): Error {
  return Object.assign(new Error(message), { code: 'NO_LEADER' })
}

function isNoLeader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NO_LEADER'
}
