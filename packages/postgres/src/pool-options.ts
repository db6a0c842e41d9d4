/** Options of `postgresStorage`. */
export interface PoolOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string
  /** Maximum number of connections. */
  readonly pool?: number
  /** False behind a pooler without support for prepared statements. */
  readonly prepared?: boolean
}
