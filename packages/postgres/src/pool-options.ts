/** Options of `postgresStorage`. */
export interface PoolOptions {
  /**
   * `postgres://user:password@host:port/database`. Of several hosts, with commas between them, the one that takes
   * writes is used.
   */
  readonly url: string
  /** Maximum number of connections. */
  readonly pool?: number
  /** URLs of replicas, one server each, that the reads of callers may go to. All processes must have them, or none. */
  readonly readUrls?: readonly string[]
  /** Seconds. A replica further behind is not read from. Default: 5. */
  readonly readLagSeconds?: number
  /** False behind a pooler without support for prepared statements. */
  readonly prepared?: boolean
}
