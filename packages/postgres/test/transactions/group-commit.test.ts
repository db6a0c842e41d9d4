import { randomUUID } from 'node:crypto'
import type { Storage } from '@sales-crm/core/ports'
import type { Statement } from '@sales-crm/sql'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { createGroupCommit } from '../../src/transactions/group-commit.ts'
import type { SharedConnection } from '../../src/wire/shared-connection.ts'
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

async function openStorage() {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url })
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const close = async () => {
    await admin.end()
    await storage.close()
  }
  return { url, storage, admin, close }
}

/** Which transaction wrote each record. */
async function readWriters(admin: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await admin.query<{ key: string; xmin: string }>('select key, xmin::text from tags')
  return new Map(rows.map(({ key, xmin }) => [key, xmin]))
}

function addTags(storage: Storage, ...keys: readonly string[]): Promise<void> {
  return storage.transact(async (tx) => {
    for (const key of keys) await tx.workspace(WORKSPACE).tags.insert(tag(key))
  })
}

/** A connection that answers by `outcomeOf` what is asked. */
function createFakeConnection(outcomeOf: (text: string) => Error | undefined | Promise<undefined>) {
  const sent: string[] = []
  const client = {
    async query({
      text,
      callback,
    }: {
      readonly text: string
      readonly callback: (error: Error | undefined, result: object) => void
    }) {
      sent.push(text)
      callback(await outcomeOf(text), { rows: [], rowCount: 1 })
    },
  }
  const connection: SharedConnection = {
    client: async () => client as unknown as pg.Client,
    current: async () => undefined,
    close: async () => {},
  }
  return { line: connection, asked: sent }
}

const writesOf = (name: string) => [{ statement: plainStatement(name), values: [1] }]

async function collectOutcomes(units: readonly Promise<void>[]) {
  const outcomes = await Promise.allSettled(units)
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'kept' : outcome.reason))
}

describe('a group whose commit', () => {
  const refused = new pg.DatabaseError('taken', 5, 'error')
  const lost = new Error('Connection terminated unexpectedly')

  async function outcomeOf(failing: string, error: Error) {
    const { line: connection, asked } = createFakeConnection((text) => (text === failing ? error : undefined))
    const alone: string[] = []
    const commitTogether = createGroupCommit(
      connection,
      async ([first]) => void alone.push(first!.statement.name),
    )
    return {
      asked,
      alone,
      outcomes: await collectOutcomes(['a', 'b'].map((name) => commitTogether(writesOf(name)))),
    }
  }

  test('holds a statement that was refused is not there, and each unit is written alone', async () => {
    const { asked, alone, outcomes } = await outcomeOf('b', refused)
    expect(asked).toEqual(['begin isolation level read committed', 'a', 'b', 'commit'])
    expect([alone, outcomes]).toEqual([
      ['a', 'b'],
      ['kept', 'kept'],
    ])
  })

  test.each([
    ['is not answered', 'commit', lost],
    ['is refused', 'commit', refused],
    ['was lost on the way', 'a', lost],
  ])('%s may be there or not, and is not written again', async (_, failing, error) => {
    expect(await outcomeOf(failing, error)).toMatchObject({ alone: [], outcomes: [error, error] })
  })

  test('finds no connection was not sent, and each unit is written alone, and answered for itself', async () => {
    const connection = { ...createFakeConnection(() => undefined).line, client: () => Promise.reject(lost) }
    const commitTogether = createGroupCommit(connection, async ([first]) => {
      if (first!.statement.name === 'b') throw refused
    })
    expect(await collectOutcomes(['a', 'b'].map((name) => commitTogether(writesOf(name))))).toEqual([
      'kept',
      refused,
    ])
  })

  test('comes only after ten seconds leaves out, unsent, what has waited for longer', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { promise: unanswered, resolve: answer } = Promise.withResolvers<undefined>()
    const { line: connection, asked } = createFakeConnection((text) =>
      text === 'commit' ? unanswered : undefined,
    )
    const commitTogether = createGroupCommit(connection, () => Promise.reject(refused))
    const first = commitTogether(writesOf('first'))
    await vi.waitFor(() => expect(asked).toContain('commit'))
    const late = commitTogether(writesOf('late'))
    vi.advanceTimersByTime(1)
    const timely = Array.from({ length: 64 }, () => commitTogether(writesOf('timely')))
    vi.advanceTimersByTime(10_000)
    answer(undefined)
    const error = new Error('Nothing was written: others were in the way for 10 s.')
    expect(await collectOutcomes([first, late, ...timely])).toEqual([
      'kept',
      error,
      ...timely.map(() => 'kept'),
    ])
    await commitTogether(writesOf('after'))
    expect(asked.filter((text) => text === 'late' || text === 'timely')).toEqual(timely.map(() => 'timely'))
  })
})

describe.runIf(server !== null)('units of work of one moment', () => {
  test('share a transaction, those that come while it is committed the next one, and a lone one has its own', async () => {
    const { storage, admin, close } = await openStorage()
    await addTags(storage, 'alone')
    const first = Promise.all(['a', 'b', 'c'].map((key) => addTags(storage, key)))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    const next = Promise.all(['d', 'e'].map((key) => addTags(storage, key)))
    await Promise.all([first, next])
    const by = await readWriters(admin)
    const [alone, a, b, c, d, e] = ['alone', 'a', 'b', 'c', 'd', 'e'].map((key) => by.get(key))
    expect([b, c, e]).toEqual([a, a, d])
    expect(new Set([alone, a, d]).size).toBe(3)
    await close()
  })

  test('fail each alone: who takes what is taken is refused, whole, and its neighbours are kept', async () => {
    const { storage, admin, close } = await openStorage()
    await addTags(storage, 'taken')
    const outcomes = await Promise.allSettled([
      addTags(storage, 'a'),
      addTags(storage, 'half', 'taken'),
      addTags(storage, 'b'),
      addTags(storage, 'twice', 'twice'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(outcomes[1]).toMatchObject({
      reason: { code: 'conflict', fields: { key: 'A record with this value already exists.' } },
    })
    expect([...(await readWriters(admin)).keys()].sort()).toEqual(['a', 'b', 'taken'])
    await close()
  })

  test('of two that take the same, one is kept', async () => {
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

  test('more than share a commit all come through, and one that writes much has a transaction of its own', async () => {
    const { storage, admin, close } = await openStorage()
    const keys = Array.from({ length: 150 }, (_, nth) => `one_${nth}`)
    const many = Array.from({ length: 40 }, (_, nth) => `many_${nth}`)
    await Promise.all([...keys.map((key) => addTags(storage, key)), addTags(storage, ...many)])
    const by = await readWriters(admin)
    expect(by.size).toBe(190)
    const transactionsOf = (some: readonly string[]) => new Set(some.map((key) => by.get(key)))
    expect(transactionsOf(many).size).toBe(1)
    expect(transactionsOf(keys).size).toBe(3)
    expect(transactionsOf([...keys, ...many]).size).toBe(4)
    await close()
  })

  test('do not wait for one of them that waits for what somebody holds', async () => {
    const { storage, admin, close } = await openStorage()
    await admin.query('begin')
    await admin.query(
      `insert into tags (workspace_id, id, name, color, key, created_at) values ('${WORKSPACE}', gen_random_uuid(), 'Held', '#000000', 'held', now())`,
    )
    let isWaiting = true
    const waits = addTags(storage, 'held').finally(() => {
      isWaiting = false
    })
    const outcome = waits.then(
      () => 'kept',
      () => 'refused',
    )
    await Promise.all([addTags(storage, 'a'), addTags(storage, 'b')])
    expect(isWaiting).toBe(true)
    await admin.query('commit')
    expect(await outcome).toBe('refused')
    await close()
  })

  test('fail with the connection that carries them, none of them half, and the next ones are kept', async () => {
    const { storage, admin, close } = await openStorage()
    await addTags(storage, 'first')
    // Long enough for the connection to be ended in the midst of the group.
    await admin.query(
      `create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$`,
    )
    await admin.query('create trigger slowly before insert on tags for each row execute function slowly()')
    const group = ['a', 'b', 'c'].map((key) => addTags(storage, `${key}1`, `${key}2`))
    const outcomes = Promise.allSettled(group)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const ended = await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()",
    )
    expect(ended.rowCount).toBe(1)
    const kept = (await outcomes).map(({ status }) => status === 'fulfilled')
    const keys = [...(await readWriters(admin)).keys()]
    expect(['a', 'b', 'c'].map((key) => keys.filter((each) => each.startsWith(key)).length)).toEqual(
      kept.map((is) => (is ? 2 : 0)),
    )
    await admin.query('drop trigger slowly on tags')
    await addTags(storage, 'after')
    expect([...(await readWriters(admin)).keys()]).toContain('after')
    await close()
  })

  test('nothing is asked of the database for one that writes nothing, and one that throws after its writes leaves nothing', async () => {
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
