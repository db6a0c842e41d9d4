import { randomUUID } from 'node:crypto'
import { sqlStorage } from '@sales-crm/sql'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { PostgresDatabase, runMigrations } from '../../src/postgres-database.ts'
import type { Position } from '../../src/servers/read-positions.ts'
import { Replica } from '../../src/servers/replica.ts'
import { startPostgres, type TestPostgres } from '../embedded-postgres.ts'
import { startStandby } from '../standby.ts'

const AT = '2026-03-01T12:00:00.000Z'
/** In place of twenty. */
const RECENT_SECONDS = 1
/** Milliseconds after a write until the reads of its caller may go to replicas. */
const UNTIL_NOT_RECENT = RECENT_SECONDS * 1000 + 100
const WORKSPACE = randomUUID()
const RATE_LIMIT = { key: 'k', limit: 1e9, seconds: 60 }

/** A member of an app, with a record of its own, whose title is the number of its last write. */
const CALLERS = [1, 2, 3].map(() => ({
  workspaceId: WORKSPACE,
  clientId: randomUUID(),
  userId: randomUUID(),
  grantId: randomUUID(),
  taskTypeId: randomUUID(),
}))
type TestCaller = (typeof CALLERS)[number]

let primary: TestPostgres
const standbys: TestPostgres[] = []
const closings: (() => Promise<void>)[] = []

/** A process: its storage, and the calls that the service makes. */
function openProcess(readUrls: readonly string[], options: { readLagSeconds?: number } = {}) {
  const database = new PostgresDatabase({
    url: primary.url,
    readUrls,
    recentSeconds: RECENT_SECONDS,
    ...options,
  } as ConstructorParameters<typeof PostgresDatabase>[0])
  const storage = sqlStorage(database, postgresDialect)
  closings.push(() => storage.close())
  const authorize = ({ grantId }: TestCaller, isRead: boolean) =>
    database.gate.authorize({ workspace_id: WORKSPACE, id: grantId }, RATE_LIMIT, isRead)
  return {
    database,
    /** @param meanwhile runs after the call was authorized, before it writes */
    async write(caller: TestCaller, version: number, meanwhile?: () => Promise<unknown>) {
      const startedAt = performance.now()
      await authorize(caller, false)
      await meanwhile?.()
      await storage.transact(async (tx) => {
        const { task_types } = tx.workspace(WORKSPACE)
        const record = (await task_types.getForUpdate(caller.taskTypeId))!
        await task_types.update({ ...record, title: String(version) })
      })
      if (performance.now() - startedAt > (RECENT_SECONDS * 1000) / 4) await database.gate.noteWrite(caller)
    },
    async read(caller: TestCaller, options: { isolation?: 'statement'; workload?: 'report' } = {}) {
      await authorize(caller, true)
      const record = await storage.read((tx) => tx.workspace(WORKSPACE).task_types.get(caller.taskTypeId), {
        ...options,
        caller,
      })
      return Number(record?.title)
    },
    async countReads() {
      const states = await database.replicas()
      return states.reduce((sum, { reads }) => sum + reads, 0)
    },
  }
}

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(text).finally(() => client.end())
}

async function storeCallers(): Promise<void> {
  const { database } = openProcess([])
  const storage = sqlStorage(database, postgresDialect)
  const times = { created_at: AT, updated_at: AT }
  await storage.transact(async (tx) => {
    const { members, grants, task_types } = tx.workspace(WORKSPACE)
    for (const { userId, clientId, grantId, taskTypeId } of CALLERS) {
      await members.insert({
        ...{ id: userId, role: 'admin', removed_at: null, has_joined: true, language: null },
        ...{ reminder_time: null, notices: {}, calendar_hash: null, ...times },
      })
      await grants.insert({
        ...{ id: grantId, user_id: userId, client_id: clientId, scopes: [], audience: 'interface' },
        ...{ refresh_hash: null, family_hash: null, refresh_expires_at: null, revoked_at: null, ...times },
      })
      await task_types.insert({ id: taskTypeId, title: '0', color: '#6b7280', key: taskTypeId, ...times })
    }
  })
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until a caller's reads may go to replicas. */
async function waitUntilNotRecent(read: () => Promise<unknown>): Promise<void> {
  await read()
  await sleep(UNTIL_NOT_RECENT)
}

describe.runIf(inject('postgresUrl') !== null)('reads from replicas', () => {
  beforeAll(async () => {
    primary = (await startPostgres({ durable: true }))!
    await runMigrations({ url: primary.url })
    await storeCallers()
    for (const delay of ['0', '300ms', '1500ms'])
      standbys.push(await startStandby(primary, [`recovery_min_apply_delay=${delay}`]))
  }, 120_000)

  afterAll(async () => {
    for (const close of closings.splice(0)) await close()
    await Promise.all([primary, ...standbys].map((server) => server?.stop()))
  })

  test('show each caller what it has written, whichever process and replica answers', async () => {
    const urls = standbys.map(({ url }) => url)
    const processes = [openProcess(urls), openProcess(urls)]
    const written = CALLERS.map(() => 0)
    const step = fc.record({
      process: fc.nat(1),
      caller: fc.nat(CALLERS.length - 1),
      action: fc.constantFrom(
        'write',
        'read within write',
        'read',
        'read',
        'read snapshot',
        'report',
        'pause',
      ),
      pause: fc.constantFrom(50, 500, UNTIL_NOT_RECENT),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20 }), async (steps) => {
        // In each run, callers read from replicas until they write.
        await sleep(UNTIL_NOT_RECENT)
        for (const { process, caller, action, pause } of steps) {
          const { read, write } = processes[process]!
          if (action === 'pause') await sleep(pause)
          else if (action === 'write' || action === 'read within write') {
            const meanwhile = () => read(CALLERS[caller]!)
            await write(CALLERS[caller]!, written[caller]! + 1, action === 'write' ? undefined : meanwhile)
            written[caller]! += 1
          } else {
            const options = {
              read: { isolation: 'statement' },
              'read snapshot': {},
              report: { workload: 'report' },
            } as const
            expect(await read(CALLERS[caller]!, options[action])).toBe(written[caller])
          }
        }
      }),
      // The order in time is a part of the counterexample, and cannot be shrunk.
      { numRuns: 12, endOnFailure: true },
    )
    const states = (await Promise.all(processes.map(({ database }) => database.replicas()))).flat()
    // Otherwise nothing was tested.
    expect(states.reduce((sum, { reads }) => sum + reads, 0)).toBeGreaterThan(0)
    expect(states.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(0)
  }, 120_000)

  test.each([
    ['quick', 0],
    ['long', UNTIL_NOT_RECENT],
  ])('show what a %s call has written, after a read while it ran', async (_, milliseconds) => {
    const [quick] = standbys
    const { database, read, write } = openProcess([quick!.url])
    const caller = CALLERS[1]!
    await waitUntilNotRecent(() => read(caller))
    await vi.waitFor(async () => expect((await database.replicas())[0]!.status).toBe('used'), 5000)
    const version = 1000 + (await read(caller))
    await write(caller, version, async () => {
      await sleep(milliseconds)
      await read(caller)
      // It has replayed what was written until that read, and nothing after it.
      await sleep(20)
      await query(quick!.url, 'select pg_wal_replay_pause()')
    })
    expect(await read(caller)).toBe(version)
    await query(quick!.url, 'select pg_wal_replay_resume()')
  })

  test('leave out a replica that lags, does not answer, or is none, and take it again', async () => {
    const [quick, , slow] = standbys
    const { database, read, countReads } = openProcess(
      [quick!.url, slow!.url, primary.url, 'postgres://postgres@127.0.0.1:1/postgres'],
      { readLagSeconds: 1.4 },
    )
    const statuses = async () => (await database.replicas()).map(({ status }) => status)
    const [caller] = CALLERS
    await waitUntilNotRecent(() => read(caller!))
    await vi.waitFor(
      async () => expect(await statuses()).toEqual(['used', 'behind', 'leader', 'unavailable']),
      5000,
    )
    const written = await read(caller!)
    const before = await countReads()
    expect(await read(caller!)).toBe(written)
    expect(await countReads()).toBe(before + 1)

    quick!.signal('SIGSTOP')
    // It may be asked once more; then it is left out.
    expect(await read(caller!)).toBe(written)
    expect((await statuses())[0]).toBe('unavailable')
    expect(await read(caller!)).toBe(written)
    expect(await countReads()).toBe(before + 1)
    quick!.signal('SIGCONT')
    await vi.waitFor(async () => expect((await statuses())[0]).toBe('used'), 5000)

    await quick!.down('fast')
    expect(await read(caller!)).toBe(written)
    await quick!.up()
    await vi.waitFor(async () => expect((await statuses())[0]).toBe('used'), 10_000)
    expect(await read(caller!)).toBe(written)
  }, 60_000)

  test('need the position, in the log of the same leader', async () => {
    const replica = new Replica({ url: standbys[0]!.url, leader: null }, 5)
    closings.push(() => replica.close())
    const { rows } = await query(standbys[0]!.url, 'select server from replication_heartbeats')
    const { server } = rows[0] as { readonly server: string }
    const read = (position: Position) => replica.read(async () => 'read', undefined, position)
    expect(await read({ lsn: '0/1', server })).toBe('read')
    await expect(read({ lsn: 'FFFFFFFF/0', server })).rejects.toThrow('has not replayed')
    await expect(read({ lsn: '0/1', server: 'another' })).rejects.toThrow('has not replayed')
  })

  test('never come from a replica that was promoted', async () => {
    const [promoted] = standbys
    const { database, read } = openProcess([promoted!.url])
    const [caller] = CALLERS
    await waitUntilNotRecent(() => read(caller!))
    await vi.waitFor(async () => expect((await database.replicas())[0]!.status).toBe('used'), 5000)
    await query(promoted!.url, 'select pg_promote()')
    await query(promoted!.url, `update task_types set title = '-1'`)
    expect(await read(caller!)).toBeGreaterThanOrEqual(0)
    await vi.waitFor(async () => expect((await database.replicas())[0]!.status).toBe('unavailable'), 5000)
  }, 60_000)
})
