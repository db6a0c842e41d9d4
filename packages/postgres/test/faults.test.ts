import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject, test, vi } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { PostgresAccessGate } from '../src/rate-limiter.ts'
import { freshDatabase } from './fresh-database.ts'
import { startProxy } from './tcp-proxy.ts'

const server = inject('postgresUrl')
const AT = '2026-03-01T12:00:00.000Z'
const taskType = (key: string) => ({
  id: randomUUID(),
  title: 'Call',
  color: '#6b7280',
  key,
  created_at: AT,
  updated_at: AT,
})

async function openStorage(options: { pool?: number; prepared?: boolean } = {}) {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url, ...options })
  const workspace = randomUUID()
  const add = (key: string) =>
    storage.transact((tx) => tx.workspace(workspace).task_types.insert(taskType(key)))
  const keys = async () => {
    const rows = await storage.read((tx) => tx.workspace(workspace).task_types.find([]))
    return rows.map(({ key }) => key).sort()
  }
  return { url, storage, workspace, add, keys }
}

describe.runIf(server !== null)('PostgreSQL faults', () => {
  test('a lost database fails calls, and service resumes once it is back', async () => {
    const url = await freshDatabase(server!)
    const proxy = await startProxy(url)
    const storage = await postgresStorage({ url: proxy.url })
    const read = () => storage.read((tx) => tx.workspaces.find([]))
    expect(await read()).toEqual([])
    await storage.gate.count({ key: 'k', limit: 1, seconds: 60 })
    await proxy.disconnect()
    await expect(read()).rejects.toThrow()
    await expect(storage.check()).rejects.toThrow()
    await expect(storage.gate.count({ key: 'k', limit: 1, seconds: 60 })).rejects.toThrow()
    await proxy.reconnect()
    expect(await read()).toEqual([])
    await storage.check()
    expect(await storage.gate.count({ key: 'k', limit: 1, seconds: 60 })).toMatchObject({ used: 2 })
    await storage.close()
    await proxy.disconnect()
  })

  test('a connection killed in a transaction fails all of it, and the next one succeeds', async () => {
    const { url, storage, workspace, add, keys } = await openStorage()
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const interrupted = storage.transact(async (tx) => {
      const { task_types } = tx.workspace(workspace)
      await task_types.insert(taskType('lost'))
      await task_types.find([])
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      )
      await task_types.find([])
    })
    await expect(interrupted).rejects.toThrow()
    await add('added')
    expect(await keys()).toEqual(['added'])
    await admin.end()
    await storage.close()
  })

  test('a gate holds at most one session, however often the database ends it', async () => {
    const { url, storage } = await openStorage()
    await storage.close()
    const gate = new PostgresAccessGate({ url })
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    let isDone = false
    const countRepeatedly = async () => {
      while (!isDone) {
        await gate.count({ key: 'k', limit: 1, seconds: 60 }).catch(() => undefined)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const others =
      "from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database() and backend_type = 'client backend'"
    // Ends only the newest session, so that an abandoned older one would remain visible.
    const newest = `select pg_terminate_backend(pid) ${others} and backend_start = (select max(backend_start) ${others})`
    const callers = Array.from({ length: 8 }, countRepeatedly)
    for (let time = 0; time < 30; time += 1) {
      await vi.waitFor(async () => expect((await admin.query(newest)).rowCount).toBe(1))
      await gate.count({ key: 'k', limit: 1, seconds: 60 }).catch(() => undefined)
    }
    isDone = true
    await Promise.all(callers)
    await vi.waitFor(() => gate.count({ key: 'k', limit: 1, seconds: 60 }))
    await vi.waitFor(async () => expect((await admin.query(`select pid ${others}`)).rowCount).toBe(1), 5000)
    await gate.close()
    await vi.waitFor(async () => expect((await admin.query(`select pid ${others}`)).rowCount).toBe(0), 5000)
    await admin.end()
  })

  test('two deadlocked transactions both commit in the end', async () => {
    const { storage, workspace, add, keys } = await openStorage()
    await add('a')
    await add('b')
    const [a, b] = await storage.read((tx) => tx.workspace(workspace).task_types.find([]))
    let openBarrier = () => {}
    const barrier = new Promise<void>((resolve) => {
      openBarrier = resolve
    })
    let [runs, lockCount] = [0, 0]
    const lockBoth = (first: string, second: string) =>
      storage.transact(async (tx) => {
        runs += 1
        const { task_types } = tx.workspace(workspace)
        await task_types.getForUpdate(first)
        lockCount += 1
        if (lockCount === 2) openBarrier()
        await barrier
        const record = (await task_types.getForUpdate(second))!
        await task_types.update({ ...record, key: `${record.key}x` })
      })
    await Promise.all([lockBoth(a!.id, b!.id), lockBoth(b!.id, a!.id)])
    expect(await keys()).toEqual(['ax', 'bx'])
    expect(runs).toBe(3)
    await storage.close()
  })

  test('a conflict at commit is thrown, and the transaction leaves nothing', async () => {
    const { storage, workspace, add, keys } = await openStorage()
    await add('call')
    const conflicting = storage.transact(async (tx) => {
      const { task_types } = tx.workspace(workspace)
      await task_types.insert(taskType('email'))
      await task_types.insert(taskType('call')).catch(() => undefined)
    })
    await expect(conflicting).rejects.toMatchObject({
      code: 'conflict',
      fields: { key: 'A record with this value already exists.' },
    })
    expect(await keys()).toEqual(['call'])
    await storage.close()
  })

  test('completes many more transactions than connections', async () => {
    const { storage, add, keys } = await openStorage({ pool: 2 })
    await Promise.all(Array.from({ length: 50 }, (_, index) => add(`key_${index}`)))
    expect(await keys()).toHaveLength(50)
    await storage.close()
  })

  test('works without prepared statements, as behind a pooler', async () => {
    const { storage, add, keys } = await openStorage({ prepared: false })
    await add('call')
    await expect(add('call')).rejects.toMatchObject({ code: 'conflict' })
    expect(await keys()).toEqual(['call'])
    const rateLimit = { key: 'k', limit: 1, seconds: 60 }
    await storage.gate.count(rateLimit)
    expect(await storage.gate.count(rateLimit)).toMatchObject({ used: 2 })
    await storage.close()
  })

  test('processes that open a new database concurrently all find it migrated', async () => {
    const url = await freshDatabase(server!)
    const storages = await Promise.all(Array.from({ length: 4 }, () => postgresStorage({ url })))
    await Promise.all(storages.map((storage) => storage.check()))
    await Promise.all(storages.map((storage) => storage.close()))
  })

  test('two processes count in the same windows and see a revocation immediately', async () => {
    const { url, storage, workspace } = await openStorage()
    const other = await postgresStorage({ url })
    const member = {
      id: randomUUID(),
      role: 'admin',
      removed_at: null,
      has_joined: true,
      ...{ language: null, reminder_time: null, notices: {}, calendar_hash: null },
      created_at: AT,
      updated_at: AT,
    } as const
    const grant = {
      id: randomUUID(),
      user_id: member.id,
      client_id: randomUUID(),
      scopes: [],
      audience: 'interface' as const,
      refresh_hash: null,
      family_hash: null,
      refresh_expires_at: null,
      revoked_at: null,
      created_at: AT,
      updated_at: AT,
    }
    await storage.transact(async (tx) => {
      await tx.workspace(workspace).members.insert(member)
      await tx.workspace(workspace).grants.insert(grant)
    })
    const rateLimit = { key: 'app', limit: 100, seconds: 60 }
    const calls = await Promise.all(
      [storage, other].flatMap(({ gate }) =>
        Array.from({ length: 10 }, () =>
          gate.authorize({ workspace_id: workspace, id: grant.id }, rateLimit),
        ),
      ),
    )
    expect(calls.map((call) => call!.rateLimit!.used).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    const standby = new PostgresAccessGate({ url })
    const authorization = await standby.authorize({ workspace_id: workspace, id: grant.id }, rateLimit)
    expect(authorization).toEqual({
      grant: { user_id: member.id, client_id: grant.client_id, role: 'admin' },
      window: undefined,
    })
    await expect(standby.count(rateLimit)).rejects.toThrow('read-only')
    await Promise.all([standby.close(), admin.end()])
    await storage.transact((tx) => tx.workspace(workspace).grants.update({ ...grant, revoked_at: AT }))
    expect(await other.gate.authorize({ workspace_id: workspace, id: grant.id }, rateLimit)).toBeUndefined()
    expect(await other.gate.count(rateLimit)).toMatchObject({ used: 21 })
    await Promise.all([storage.close(), other.close()])
  })

  test('text is ordered by code point for any cluster locale', async () => {
    const { url, storage } = await openStorage()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ collation_name: string | null }>(
      "select distinct collation_name from information_schema.columns where table_schema = 'public' and data_type = 'text' and table_name in ('people', 'tasks', 'deals')",
    )
    expect(rows).toEqual([{ collation_name: 'C' }])
    await client.end()
    await storage.close()
  })

  test.each([true, false])(
    "instants are independent of the database's time zone and date style (prepared: %s)",
    async (prepared) => {
      const url = await freshDatabase(server!)
      const admin = new pg.Client({ connectionString: url })
      await admin.connect()
      await admin.query(`alter database ${new URL(url).pathname.slice(1)} set timezone = 'America/Sao_Paulo'`)
      await admin.query(`alter database ${new URL(url).pathname.slice(1)} set datestyle = 'SQL, DMY'`)
      await admin.end()
      const storage = await postgresStorage({ url, prepared })
      const workspace = randomUUID()
      const instants = [
        '0001-01-02T00:00:00.000Z',
        '1900-01-01T00:00:00.000Z',
        '2026-03-01T12:00:00.120Z',
        '9999-12-31T23:59:59.999Z',
      ]
      const types = instants.map((created_at, index) => ({ ...taskType(`key_${index}`), created_at }))
      await storage.transact((tx) => tx.workspace(workspace).task_types.insertMany(types))
      const stored = await storage.read((tx) => tx.workspace(workspace).task_types.find([]))
      expect(stored.map(({ created_at }) => created_at)).toEqual(instants)
      await storage.close()
    },
  )

  test('a read-only database is not ready', async () => {
    const { url, storage } = await openStorage()
    await storage.check()
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    const lateStorage = await postgresStorage({ url, migrate: false })
    await expect(lateStorage.check()).rejects.toThrow('The database takes no writes.')
    await admin.end()
    await Promise.all([storage.close(), lateStorage.close()])
  })

  test('a read that fails with a deadlock is retried', async () => {
    const { storage, add, keys } = await openStorage()
    await add('a')
    let runs = 0
    const workspaces = await storage.read(async (tx) => {
      runs += 1
      const rows = await tx.workspaces.find([])
      if (runs === 1)
        throw Object.assign(new pg.DatabaseError('deadlock detected', 1, 'error'), { code: '40P01' })
      return rows
    })
    expect([runs, workspaces, await keys()]).toEqual([2, [], ['a']])
    await storage.close()
  })

  test.each([
    [true, '15s 50ms'],
    [false, '15s 10s'],
  ])('statements and locks have a timeout (prepared: %s)', async (prepared, timeouts) => {
    const { url, storage, workspace, add } = await openStorage({ prepared })
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`create function store_timeouts() returns trigger language plpgsql as $$ begin
      new.title := concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout')); return new; end $$`)
    await admin.query(
      'create trigger store_timeouts before insert on task_types for each row execute function store_timeouts()',
    )
    await add('a')
    const [row] = await storage.read((tx) => tx.workspace(workspace).task_types.find([]))
    expect(row?.title).toBe(timeouts)
    await admin.end()
    await storage.close()
  })
})
