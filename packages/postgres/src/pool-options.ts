/** Options of `postgresStorage`. */
export interface PoolOptions {
  /**
   * `postgres://user:password@host:port/database`. Of several hosts, with commas between them, the one that takes
   * writes is used.
   */
  readonly url: string
  /** Maximum number of connections. */
  readonly pool?: number
  /** False behind a pooler without support for prepared statements. */
  readonly prepared?: boolean
}
