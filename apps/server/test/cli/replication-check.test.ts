import type { Replication } from '@sales-crm/postgres'
import { expect, test } from 'vitest'
import { checkReplication } from '../../src/cli/checks/replication-check.ts'

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
