import type { Replication } from '@sales-crm/postgres'
import { expect, test } from 'vitest'
import { checkReplicas, checkReplication } from '../../src/cli/checks/replication-check.ts'

const SYNC = { name: 'db2', syncState: 'sync', lagBytes: 0 } as const
const ASYNC = { name: 'db3', syncState: 'async', lagBytes: 12_345 } as const

test.each<[Partial<Replication>, 'ok' | 'warn', string]>([
  [{}, 'ok', 'db1:5432 takes writes, and has no standby: what a backup lacks is lost with it'],
  [
    { isSynchronous: true },
    'warn',
    'db1:5432 takes writes, and each commit waits for a standby, of which none is connected. Start one, or clear synchronous_standby_names.',
  ],
  [
    { isSynchronous: true, standbys: [SYNC, ASYNC] },
    'ok',
    'db1:5432 takes writes, db2 (sync, up to date), db3 (async, 13 kB behind) follow. A failover loses no commit',
  ],
  [
    { standbys: [ASYNC] },
    'warn',
    'db1:5432 takes writes, db3 (async, 13 kB behind) follows. Commits do not wait for a standby: a failover loses the last of them. Set synchronous_standby_names, or synchronous_mode with Patroni.',
  ],
  [
    { isSynchronous: true, standbys: [{ name: 'db2', syncState: null, lagBytes: null }] },
    'warn',
    'db1:5432 takes writes, db2 follows. Grant pg_monitor to the user in DATABASE_URL to see how far they are.',
  ],
])('%j', async (state, status, detail) => {
  const replication = async () => ({ leader: 'db1:5432', isSynchronous: false, standbys: [], ...state })
  expect(await checkReplication({ replication })).toEqual([status, detail])
})

test.each([
  ['used', 0.52, 'ok', 'is read from, 0.5 s behind'],
  ['used', 0, 'ok', 'is read from, up to date'],
  ['leader', undefined, 'ok', 'takes writes'],
  ['behind', 9, 'warn', 'is 9.0 s behind, more than READ_LAG_SECONDS=5, and left out until then'],
  [
    'unavailable',
    undefined,
    'warn',
    'of DATABASE_READ_URL does not answer, or follows another server than that of DATABASE_URL. Start it, or correct the address',
  ],
] as const)('a replica that is %s, %s', async (status, lagSeconds, result, detail) => {
  const replicas = async () => [{ server: 'db2:5432', reads: 0, refusals: 0, status, lagSeconds }]
  expect(await checkReplicas({ replicas }, { readLagSeconds: 5 })).toEqual([result, `db2:5432 ${detail}`])
})
