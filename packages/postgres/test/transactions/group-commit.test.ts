import { randomUUID } from 'node:crypto'
import type { Storage } from '@sales-crm/core/ports'
import type { Statement } from '@sales-crm/sql'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { GroupCommit } from '../../src/transactions/group-commit.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
const AT = '2026-03-01T12:00:00.000Z'
const WORKSPACE = '0191d2f0-0000-7000-8000-000000000001'
const tag = (key: string) => ({
  id: randomUUID(),
  name: key,
  color: '#6b7280',
  key,
  created_at: AT,
  updated_at: AT,
})

const plainStatement = (name: string): Statement => ({ name, sql: name, params: ['value'], plan: 'generic' })

async function openStorage(parameters = '') {
  const url = `${await freshDatabase(server!)}?${parameters}`
  const storage = await postgresStorage({ url })
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const close = async () => {
    await admin.end()
    await storage.close()
  }
  return { url, storage, admin, close }
}

/** Maps each tag's key to the id of the transaction that wrote it. */
async function readWriters(admin: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await admin.query<{ key: string; xmin: string }>('select key, xmin::text from tags')
  return new Map(rows.map(({ key, xmin }) => [key, xmin]))
}

function addTags(storage: Storage, ...keys: readonly string[]): Promise<void> {
  return storage.transact(async (tx) => {
    for (const key of keys) await tx.workspace(WORKSPACE).tags.insert(tag(key))
  })
}

/** A connection whose results come from `outcomeOf`. */
function createFakeConnection(outcomeOf: (text: string) => Error | undefined | Promise<undefined>) {
  const sent: string[] = []
  const client = {
    async query(
      { text }: { readonly text: string },
      callback: (error: Error | undefined, result: object) => void,
    ) {
      sent.push(text)
      callback(await outcomeOf(text), { rows: [], rowCount: 1 })
    },
  }
  const connection = { client: async () => client as unknown as pg.Client }
  return { connection, sent }
}

const writesOf = (name: string) => [{ statement: plainStatement(name), values: [1] }]

async function collectOutcomes(units: readonly Promise<void>[]) {
  const outcomes = await Promise.allSettled(units)
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'committed' : outcome.reason))
}

describe('a group commit', () => {
  const rejection = new pg.DatabaseError('duplicate', 5, 'error')
  const disconnection = new Error('Connection terminated unexpectedly')

  async function outcomeOf(failing: string, error: Error) {
    const { connection, sent } = createFakeConnection((text) => (text === failing ? error : undefined))
    const singleWrites: string[] = []
    const groupCommit = new GroupCommit(
      connection,
      async ([first]) => void singleWrites.push(first!.statement.name),
    )
    return {
      sent,
      singleWrites,
      outcomes: await collectOutcomes(['a', 'b'].map((name) => groupCommit.commit(writesOf(name)))),
    }
  }

  test('with a rejected statement is rolled back, and each unit is written alone', async () => {
    const { sent, singleWrites, outcomes } = await outcomeOf('b', rejection)
    expect(sent).toEqual(['begin isolation level read committed', 'a', 'b', 'commit'])
    expect([singleWrites, outcomes]).toEqual([
      ['a', 'b'],
      ['committed', 'committed'],
    ])
  })

  test('whose session ended before it began was not run: each unit is written alone', async () => {
    const shutdown = Object.assign(new pg.DatabaseError('shutdown', 8, 'error'), { severity: 'FATAL' })
    const { singleWrites } = await outcomeOf('begin isolation level read committed', shutdown)
    expect(singleWrites).toEqual(['a', 'b'])
  })

  test.each([
    ['an unanswered commit', 'commit', disconnection],
    ['a rejected commit', 'commit', rejection],
    ['a connection lost earlier', 'a', disconnection],
    ['a rejected begin', 'begin isolation level read committed', rejection],
  ])('with %s has an unknown outcome and is not retried', async (_, failing, error) => {
    expect(await outcomeOf(failing, error)).toMatchObject({ singleWrites: [], outcomes: [error, error] })
  })

  test('without a connection was not sent: each unit is written alone, with its own outcome', async () => {
    const connection = {
      ...createFakeConnection(() => undefined).connection,
      client: () => Promise.reject(disconnection),
    }
    const groupCommit = new GroupCommit(connection, async ([first]) => {
      if (first!.statement.name === 'b') throw rejection
    })
    expect(await collectOutcomes(['a', 'b'].map((name) => groupCommit.commit(writesOf(name))))).toEqual([
      'committed',
      rejection,
    ])
  })

  test('delayed beyond ten seconds rejects, unsent, the units that have waited longer', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { promise: commit, resolve: resolveCommit } = Promise.withResolvers<undefined>()
    const { connection, sent } = createFakeConnection((text) => (text === 'commit' ? commit : undefined))
    const groupCommit = new GroupCommit(connection, () => Promise.reject(rejection))
    const first = groupCommit.commit(writesOf('first'))
    await vi.waitFor(() => expect(sent).toContain('commit'))
    const late = groupCommit.commit(writesOf('late'))
    vi.advanceTimersByTime(1)
    const timely = Array.from({ length: 64 }, () => groupCommit.commit(writesOf('timely')))
    vi.advanceTimersByTime(10_000)
    resolveCommit(undefined)
    const error = new Error('Nothing was written: others were in the way for 10 s.')
    expect(await collectOutcomes([first, late, ...timely])).toEqual([
      'committed',
      error,
      ...timely.map(() => 'committed'),
    ])
    await groupCommit.commit(writesOf('after'))
    expect(sent.filter((text) => text === 'late' || text === 'timely')).toEqual(timely.map(() => 'timely'))
  })
})

describe.runIf(server !== null)('concurrent units of work', () => {
  test('share a transaction, or the next one during a commit; a lone unit has its own', async () => {
    const { storage, admin, close } = await openStorage()
    await addTags(storage, 'alone')
    const first = Promise.all(['a', 'b', 'c'].map((key) => addTags(storage, key)))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    const next = Promise.all(['d', 'e'].map((key) => addTags(storage, key)))
    await Promise.all([first, next])
    const writers = await readWriters(admin)
    const [alone, a, b, c, d, e] = ['alone', 'a', 'b', 'c', 'd', 'e'].map((key) => writers.get(key))
    expect([b, c, e]).toEqual([a, a, d])
    expect(new Set([alone, a, d]).size).toBe(3)
    await close()
  })

  test('fail independently: a conflicting unit is rolled back whole, and the others commit', async () => {
    const { storage, admin, close } = await openStorage()
    await addTags(storage, 'duplicate')
    const outcomes = await Promise.allSettled([
      addTags(storage, 'a'),
      addTags(storage, 'half', 'duplicate'),
      addTags(storage, 'b'),
      addTags(storage, 'twice', 'twice'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(outcomes[1]).toMatchObject({
      reason: { code: 'conflict', fields: { key: 'A record with this value already exists.' } },
    })
    expect([...(await readWriters(admin)).keys()].sort()).toEqual(['a', 'b', 'duplicate'])
    await close()
  })

  test('commit only one of two conflicting units', async () => {
    const { storage, admin, close } = await openStorage()
    const outcomes = await Promise.allSettled([
      addTags(storage, 'same'),
      addTags(storage, 'same'),
      addTags(storage, 'other'),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect([...(await readWriters(admin)).keys()].sort()).toEqual(['other', 'same'])
    await close()
  })

  test('all commit beyond the group limit, and a unit with many writes has its own transaction', async () => {
    const { storage, admin, close } = await openStorage()
    const keys = Array.from({ length: 150 }, (_, nth) => `one_${nth}`)
    const many = Array.from({ length: 40 }, (_, nth) => `many_${nth}`)
    await Promise.all([...keys.map((key) => addTags(storage, key)), addTags(storage, ...many)])
    const writers = await readWriters(admin)
    expect(writers.size).toBe(190)
    const transactionsOf = (keys: readonly string[]) => new Set(keys.map((key) => writers.get(key)))
    expect(transactionsOf(many).size).toBe(1)
    expect(transactionsOf(keys).size).toBe(3)
    expect(transactionsOf([...keys, ...many]).size).toBe(4)
    await close()
  })

  // The URL sets ten seconds, as the pool does.
  test('do not wait for a unit that waits for a lock', { timeout: 9_000 }, async () => {
    const { storage, admin, close } = await openStorage('lock_timeout=10000')
    await admin.query('begin')
    await admin.query(
      `insert into tags (workspace_id, id, name, color, key, created_at) values ('${WORKSPACE}', gen_random_uuid(), 'Held', '#000000', 'held', now())`,
    )
    let isWaiting = true
    const blocked = addTags(storage, 'held').finally(() => {
      isWaiting = false
    })
    const outcome = blocked.then(
      () => 'committed',
      () => 'rejected',
    )
    await Promise.all([addTags(storage, 'a'), addTags(storage, 'b')])
    expect(isWaiting).toBe(true)
    await admin.query('commit')
    expect(await outcome).toBe('rejected')
    await close()
  })

  test('fail as a whole with their connection, and later units commit', async () => {
    const { storage, admin, close } = await openStorage()
    await addTags(storage, 'first')
    // Slow enough to end the connection in the middle of the group.
    await admin.query(
      `create function delay() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$`,
    )
    await admin.query('create trigger delay before insert on tags for each row execute function delay()')
    const group = ['a', 'b', 'c'].map((key) => addTags(storage, `${key}1`, `${key}2`))
    const outcomes = Promise.allSettled(group)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const terminated = await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()",
    )
    expect(terminated.rowCount).toBe(1)
    const committed = (await outcomes).map(({ status }) => status === 'fulfilled')
    const keys = [...(await readWriters(admin)).keys()]
    expect(['a', 'b', 'c'].map((key) => keys.filter((each) => each.startsWith(key)).length)).toEqual(
      committed.map((isCommitted) => (isCommitted ? 2 : 0)),
    )
    await admin.query('drop trigger delay on tags')
    await addTags(storage, 'after')
    expect([...(await readWriters(admin)).keys()]).toContain('after')
    await close()
  })

  test('without writes send nothing, and ones that throw leave nothing', async () => {
    const { storage, admin, close } = await openStorage()
    const failing = storage.transact(async (tx) => {
      await tx.workspace(WORKSPACE).tags.insert(tag('never'))
      throw new Error('no')
    })
    await Promise.all([
      expect(failing).rejects.toThrow('no'),
      addTags(storage, 'a'),
      storage.transact(async () => undefined),
    ])
    expect([...(await readWriters(admin)).keys()]).toEqual(['a'])
    await close()
  })
})
