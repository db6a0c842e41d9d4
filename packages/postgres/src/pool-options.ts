export interface PoolOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string
  /** Most connections at once. */
  readonly pool?: number
  /** False behind a pooler that cannot keep prepared statements. */
  readonly prepared?: boolean
}
