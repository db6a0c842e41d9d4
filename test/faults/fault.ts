import type { DatabaseName } from '../../bench/databases.ts'
import type { FaultEnvironment } from './environment.ts'

/** `brief` takes seconds and runs in every test run. `thorough` takes minutes. */
export type Effort = 'brief' | 'thorough'

export type RequiredProgram =
  | 'cc'
  | 'etcd'
  | 'faketime'
  | 'haproxy'
  | 'ip'
  | 'mkfs.ext4'
  | 'patroni'
  | 'pg_rewind'
  | 'pgbouncer'

/** A failure injected under load, and the guarantees that must still hold. */
export interface Fault {
  readonly name: string
  readonly title: string
  readonly databases: readonly DatabaseName[]
  /** The database of the brief test, for a fault that a process meets on each alike. Default: all of `databases`. */
  readonly briefDatabase?: DatabaseName
  /** The fault is skipped if one of these programs is not installed. */
  readonly programs?: readonly RequiredProgram[]
  /** The fault mounts a file system, and is skipped where this user may not. */
  readonly mounts?: true
  /** An environment variable with the URL of servers. Without it the fault is skipped, and is no test. */
  readonly urlVariable?: 'CITUS_URL'
  /** The fault creates network namespaces, and is skipped where this user may not. */
  readonly createsNetworks?: true
  /**
   * Injects the failure and returns a one-line summary with its numbers.
   * @throws Error naming the broken guarantee
   */
  run(environment: FaultEnvironment, effort: Effort): Promise<string>
}
