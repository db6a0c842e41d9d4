import type { Replication } from '@sales-crm/postgres'
import prometheus from 'prom-client'

/** Creates a separate registry, so that a scrape can omit it, and returns the function that renders it. */
export function createReplicationMetrics(): (replication: Replication) => Promise<string> {
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
  return ({ leader: server, isSynchronous, standbys }) => {
    leader.reset()
    leader.set({ server }, 1)
    synchronous.set(Number(isSynchronous))
    standbyLag.reset()
    for (const { name, syncState, lagBytes } of standbys)
      standbyLag.set({ standby: name, sync_state: syncState ?? 'unknown' }, lagBytes ?? Number.NaN)
    return registry.metrics()
  }
}
