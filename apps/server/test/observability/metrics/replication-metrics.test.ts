import { expect, test } from 'vitest'
import { createMetrics } from '../../../src/observability/metrics/metrics.ts'
import { readPrometheusText, seriesWithPrefix } from '../../support/prometheus-text.ts'

const REPLICA = { server: 'db2:5432', status: 'used', lagSeconds: 0.5, reads: 9, refusals: 1 } as const
const STANDBY = { name: 'db2', syncState: 'sync', lagBytes: 10 } as const

test('the replication metrics follow a failover, and are left out without a reading', async () => {
  const metrics = createMetrics()
  const scrape = async (servers?: Parameters<typeof metrics.render>[0]['servers']) => {
    const series = readPrometheusText(await metrics.render({ backlog: undefined, servers }))
    return seriesWithPrefix(series, 'crm_database_').map((key) => [key, series.get(key)])
  }
  const first = { leader: 'db1:5432', isSynchronous: true, standbys: [STANDBY] }
  expect(await scrape({ replication: first, replicas: [REPLICA] })).toEqual([
    ['crm_database_leader{server="db1:5432"}', 1],
    ['crm_database_replica_lag_seconds{server="db2:5432"}', 0.5],
    ['crm_database_replica_reads_total{server="db2:5432",outcome="answered"}', 9],
    ['crm_database_replica_reads_total{server="db2:5432",outcome="refused"}', 1],
    ['crm_database_standby_lag_bytes{standby="db2",sync_state="sync"}', 10],
    ['crm_database_synchronous', 1],
  ])
  const next = { leader: 'db2:5432', isSynchronous: false, standbys: [] }
  expect(await scrape({ replication: next, replicas: [] })).toEqual([
    ['crm_database_leader{server="db2:5432"}', 1],
    ['crm_database_synchronous', 0],
  ])
  expect(await scrape()).toEqual([])
})
