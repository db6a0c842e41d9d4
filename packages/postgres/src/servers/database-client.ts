import pg from 'pg'
import { watchSilence } from '../wire/watch-silence.ts'
import { disconnect, type Leader } from './leader.ts'

const READ_ONLY_SQLSTATE = '25006'
/**
 * The function of the server that reports, as a warning, that the wait of a commit for a synchronous standby was
 * canceled. The server then confirms the commit, although a failover would lose it. Messages are translated; the
 * names of functions are not.
 */
const SYNCHRONOUS_WAIT = 'SyncRepWaitForLSN'

/** Milliseconds without an answer, after which the leader is asked for on another connection. */
const SILENCE = 2000

export type DatabaseClientConfig = pg.ClientConfig & {
  /** Null for a client of a replica. */
  readonly leader: Leader | null
  /**
   * Milliseconds without an answer, after which the connection is destroyed: the server may be gone, and enforces no
   * timeout of its own then. All pending statements fail. Default: none.
   */
  readonly socketTimeout?: number
}

/** A client of the server that takes writes, or of a replica. */
export class DatabaseClient extends pg.Client {
  readonly #config: DatabaseClientConfig

  constructor(config: DatabaseClientConfig) {
    super(config)
    this.#config = config
    // A session may be ended while it is checked. Without a listener, the event would end the process.
    this.on('error', () => {})
    this.on('notice', ({ routine }) => {
      // Before the confirmation arrives: the outcome of the commit is unknown.
      if (routine === SYNCHRONOUS_WAIT) disconnect(this, 'The commit was not confirmed by a standby.')
    })
    this.connection.on('errorMessage', ({ code }) => {
      if (code === READ_ONLY_SQLSTATE) void this.#config.leader?.checkAfterRefusal(this.#config)
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error?: Error) => void): void
  override connect(callback?: (error?: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#connect()
    if (!callback) return connected
    connected.then(() => callback(), callback)
    return undefined
  }

  async #connect(): Promise<pg.Client> {
    const { leader } = this.#config
    Object.assign(this, await leader?.find(this.#config))
    await super.connect()
    watchSilence(this, SILENCE, (milliseconds) => this.#endSilence(milliseconds))
    try {
      await leader?.admit(this)
    } catch (error) {
      void this.end().catch(() => {})
      throw error
    }
    return this
  }

  #endSilence(milliseconds: number): void {
    const { leader, socketTimeout = Infinity } = this.#config
    if (milliseconds < socketTimeout) void leader?.checkAfterSilence(this.#config)
    else disconnect(this, `PostgreSQL has not answered for ${milliseconds / 1000} s.`)
  }
}
