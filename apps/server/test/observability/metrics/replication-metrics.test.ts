import { expect, test } from 'vitest'
import { createMetrics } from '../../../src/observability/metrics/metrics.ts'
import { readPrometheusText, seriesWithPrefix } from '../../support/prometheus-text.ts'

const STANDBY = { name: 'db2', syncState: 'sync', lagBytes: 10 } as const

test('the replication metrics follow a failover, and are left out without a reading', async () => {
  const metrics = createMetrics()
  const scrape = async (replication?: Parameters<typeof metrics.render>[0]['replication']) => {
    const series = readPrometheusText(await metrics.render({ backlog: undefined, replication }))
    return seriesWithPrefix(series, 'crm_database_').map((key) => [key, series.get(key)])
  }
  expect(await scrape({ leader: 'db1:5432', isSynchronous: true, standbys: [STANDBY] })).toEqual([
    ['crm_database_leader{server="db1:5432"}', 1],
    ['crm_database_standby_lag_bytes{standby="db2",sync_state="sync"}', 10],
    ['crm_database_synchronous', 1],
  ])
  expect(await scrape({ leader: 'db2:5432', isSynchronous: false, standbys: [] })).toEqual([
    ['crm_database_leader{server="db2:5432"}', 1],
    ['crm_database_synchronous', 0],
  ])
  expect(await scrape()).toEqual([])
})
