/** A server that receives the log. */
export interface Standby {
  readonly name: string
  /** PostgreSQL's `sync_state`; null if the user has no right to see it, as `pg_monitor` has. */
  readonly syncState: 'sync' | 'quorum' | 'potential' | 'async' | null
  /** Bytes of the log that it has not stored yet. */
  readonly lagBytes: number | null
}

/** The servers of a database. */
export interface Replication {
  /** `host:port` of the server that takes writes, as it knows it. */
  readonly leader: string
  /** True if a commit waits until a standby has stored it. */
  readonly isSynchronous: boolean
  readonly standbys: readonly Standby[]
}

/** A replica that reads may go to. */
export interface ReplicaState {
  /** `host:port` of its URL. */
  readonly server: string
  /**
   * Reads go to it only if it is `used`. `leader`: it takes writes. `unavailable`: it does not answer, or follows another
   * server.
   */
  readonly status: 'used' | 'behind' | 'leader' | 'unavailable'
  /** Undefined if it is the leader or unavailable. */
  readonly lagSeconds: number | undefined
  /** Reads that it has answered. */
  readonly reads: number
  /** Reads that went to the leader, since it lacked what their caller had written, or failed. */
  readonly refusals: number
}
