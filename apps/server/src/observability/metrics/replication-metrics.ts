import type { ReplicaState, Replication } from '@sales-crm/postgres'
import prometheus from 'prom-client'

/** The servers of a database: those that replicate, and those of them that reads go to. */
export interface DatabaseServers {
  readonly replication: Replication
  readonly replicas: readonly ReplicaState[]
}

/** Creates a separate registry, so that a scrape can omit it, and returns the function that renders it. */
export function createReplicationMetrics(): (servers: DatabaseServers) => Promise<string> {
  const registry = new prometheus.Registry()
  const registers = [registry]
  const leader = new prometheus.Gauge({
    name: 'crm_database_leader',
    help: 'The database server that takes writes: always 1.',
    labelNames: ['server'] as const,
    registers,
  })
  const synchronous = new prometheus.Gauge({
    name: 'crm_database_synchronous',
    help: 'Whether a commit waits until a standby has stored it.',
    registers,
  })
  const standbyLag = new prometheus.Gauge({
    name: 'crm_database_standby_lag_bytes',
    help: 'Bytes of the log that a standby has not stored yet.',
    labelNames: ['standby', 'sync_state'] as const,
    registers,
  })
  const replicaLag = new prometheus.Gauge({
    name: 'crm_database_replica_lag_seconds',
    help: 'How far a replica that reads go to is behind; NaN if it does not answer or follows another server.',
    labelNames: ['server'] as const,
    registers,
  })
  const replicaReads = new prometheus.Counter({
    name: 'crm_database_replica_reads_total',
    help: 'Reads that a replica answered, and those that the leader answered since the replica was behind or failed.',
    labelNames: ['server', 'outcome'] as const,
    registers,
  })
  return ({ replication: { leader: server, isSynchronous, standbys }, replicas }) => {
    leader.reset()
    leader.set({ server }, 1)
    synchronous.set(Number(isSynchronous))
    standbyLag.reset()
    for (const { name, syncState, lagBytes } of standbys)
      standbyLag.set({ standby: name, sync_state: syncState ?? 'unknown' }, lagBytes ?? Number.NaN)
    replicaLag.reset()
    replicaReads.reset()
    for (const { server: replica, lagSeconds, reads, refusals } of replicas) {
      replicaLag.set({ server: replica }, lagSeconds ?? Number.NaN)
      replicaReads.inc({ server: replica, outcome: 'answered' }, reads)
      replicaReads.inc({ server: replica, outcome: 'refused' }, refusals)
    }
    return registry.metrics()
  }
}
