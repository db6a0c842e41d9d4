import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseFiles } from '../../src/files/database-files.ts'
import { sqliteStorage } from '../../src/index.ts'
import { GroupCommit } from '../../src/transactions/group-commit.ts'
import { createTempPath } from '../harness.ts'

async function openGroupCommit() {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  const files = new DatabaseFiles(path)
  files.writer().db.exec('create table notes (id integer primary key, body text unique)')
  const group = new GroupCommit(files)
  const transact: typeof group.transact = (work, options) => group.transact(work, options)
  const transactRelaxed: typeof transact = (work) => transact(work, { durability: 'relaxed' })
  const insert = (body: string) =>
    transact(async () => files.writer().db.prepare('insert into notes (body) values (?)').run(body))
  const bodies = () => files.reader().db.prepare('select body from notes order by id').pluck().all()
  const commits = () => files.reader().db.pragma('data_version', { simple: true }) as number
  /** The `synchronous` level: 2 if the commit waits for the disk, else 1. */
  const level = async () => files.writer().db.pragma('synchronous', { simple: true })
  return { files, transact, transactRelaxed, insert, bodies, commits, level }
}

test('a failed transaction rolls back only its own writes', async () => {
  const { insert, transact, files, bodies } = await openGroupCommit()
  const failing = transact(async () => {
    files.writer().db.prepare('insert into notes (body) values (?)').run('gone')
    throw new Error('no')
  })
  const outcomes = await Promise.allSettled([insert('a'), failing, insert('b'), insert('a'), insert('c')])
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(bodies()).toEqual(['a', 'b', 'c'])
})

test('transactions of one event-loop turn share a commit, and none resolves before it', async () => {
  const { insert, bodies, commits } = await openGroupCommit()
  const before = commits()
  const results = await Promise.all(['a', 'b', 'c'].map((body) => insert(body).then(bodies)))
  expect(results).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  expect(commits()).toBe(before + 1)
})

test('after twenty milliseconds of work the next transaction has a commit of its own', async () => {
  const { insert, transact, files, bodies } = await openGroupCommit()
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const execute = vi.spyOn(files.writer(), 'execute')
  const work = (milliseconds: number) =>
    transact(async () => {
      now += milliseconds
    })
  await Promise.all([insert('a'), work(19), insert('b'), work(1), insert('c'), insert('d')])
  expect(execute.mock.calls.filter(([step]) => step === 'commit')).toHaveLength(2)
  expect(bodies()).toEqual(['a', 'b', 'c', 'd'])
})

/** No group ends for its time. */
function stopClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
}

test('relaxed transactions do not wait for the disk; durable ones do, in any order', async () => {
  const { transact, transactRelaxed, level } = await openGroupCommit()
  const levels = []
  for (const begin of [transact, transactRelaxed, transactRelaxed, transact, transactRelaxed, transact])
    levels.push(await begin(level))
  expect(levels).toEqual([2, 1, 1, 2, 1, 2])
})

test('a relaxed transaction grouped with a durable one waits for the disk in one commit', async () => {
  const { insert, transactRelaxed, level, commits } = await openGroupCommit()
  const before = commits()
  const [first, , last] = await Promise.all([transactRelaxed(level), insert('a'), transactRelaxed(level)])
  expect([first, last]).toEqual([2, 2])
  expect(commits()).toBe(before + 1)
})

test('a later durable transaction starts a new group, and no transaction overtakes it', async () => {
  const { files, transact, transactRelaxed, level, bodies } = await openGroupCommit()
  stopClock()
  const observations: unknown[] = []
  const observe = async () => observations.push([await level(), bodies()])
  let later: Promise<unknown> | undefined
  await transactRelaxed(async () => {
    files.writer().db.prepare('insert into notes (body) values (?)').run('first')
    later = Promise.all([transactRelaxed(observe), transact(observe), transactRelaxed(observe)])
    await observe()
  })
  await later
  expect(observations).toEqual([
    [1, []],
    [1, []],
    [2, ['first']],
    [2, ['first']],
  ])
})

test('beyond the group limit, only the group with a durable transaction waits for the disk', async () => {
  const { transact, transactRelaxed, level } = await openGroupCommit()
  stopClock()
  const many = Array.from({ length: 200 }, () => transactRelaxed(level))
  const levels = await Promise.all([...many, transact(level)])
  expect(levels.slice(0, 128).every((each) => each === 1)).toBe(true)
  expect(levels.slice(128).every((each) => each === 2)).toBe(true)
})

test('reopened connections keep the durability setting', async () => {
  const { files, transact, transactRelaxed, level } = await openGroupCommit()
  const levels = [await transactRelaxed(level)]
  for (const begin of [transact, transactRelaxed, transactRelaxed, transact]) {
    files.noteError(new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_READ'))
    levels.push(await begin(level))
  }
  expect(levels).toEqual([1, 2, 1, 1, 2])
})

test('resolves every transaction when the queue exceeds the group limit', async () => {
  const { insert, bodies } = await openGroupCommit()
  await Promise.all(Array.from({ length: 300 }, (_, index) => insert(`note ${index}`)))
  expect(bodies()).toHaveLength(300)
})

test('a full disk fails the whole group, and writes succeed once space is available', async () => {
  const { insert, bodies, files, transact } = await openGroupCommit()
  await insert('kept')
  const { db: file } = files.writer()
  file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
  const big = 'x'.repeat(20_000)
  await expect(insert(big)).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect(bodies()).toEqual(['kept'])
  file.pragma('max_page_count = 100000')
  await insert('after')
  expect(bodies()).toEqual(['kept', 'after'])
  await expect(transact(async () => 'result')).resolves.toBe('result')
})

test('discards writes that follow a full disk within the same transaction', async () => {
  const { bodies, files, transact } = await openGroupCommit()
  const { db: file } = files.writer()
  file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
  const statement = {
    name: 'add',
    sql: 'insert into notes (body) values (?)',
    params: ['body'],
    plan: 'generic',
  } as const
  const failing = transact(async ({ executeMany }) => {
    await executeMany(statement, [['x'.repeat(20_000)], ['after it']]).catch(() => undefined)
    await executeMany(statement, [['later']])
  })
  await expect(failing).rejects.toThrow('The transaction has failed.')
  expect(bodies()).toEqual([])
})

test('discards writes with RETURNING that follow a full disk', async () => {
  const { bodies, files, transact } = await openGroupCommit()
  const { db: file } = files.writer()
  file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
  const add = {
    name: 'add',
    sql: 'insert into notes (body) values (?)',
    params: ['body'],
    plan: 'generic',
  } as const
  const insertReturning = { ...add, name: 'insert returning', sql: `${add.sql} returning id` }
  const failing = transact(async ({ executeMany, query }) => {
    await executeMany(add, [['x'.repeat(20_000)]]).catch(() => undefined)
    await query(insertReturning, ['later'])
  })
  await expect(failing).rejects.toThrow('The transaction has failed.')
  expect(bodies()).toEqual([])
})

test('a full disk in a savepoint ends the whole transaction, even if the work continues', async () => {
  const { insert, bodies, files, transact } = await openGroupCommit()
  await insert('kept')
  const { db: file } = files.writer()
  file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
  const add = (body: string) => file.prepare('insert into notes (body) values (?)').run(body)
  const neighbour = insert('neighbour')
  const failing = transact(async ({ savepoint }) => {
    add('before')
    await savepoint(async () => add('x'.repeat(20_000))).catch(() => undefined)
    return 'continued'
  })
  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  await expect(neighbour).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect(bodies()).toEqual(['kept'])
  file.pragma('max_page_count = 100000')
  await insert('after')
  expect(bodies()).toEqual(['kept', 'after'])
})

test('discards writes of a later savepoint after a full disk', async () => {
  const { insert, bodies, files, transact } = await openGroupCommit()
  await insert('kept')
  const { db: file } = files.writer()
  file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
  const add = (body: string) => file.prepare('insert into notes (body) values (?)').run(body)
  const failing = transact(async ({ savepoint }) => {
    await savepoint(async () => add('x'.repeat(20_000))).catch(() => undefined)
    await savepoint(async () => add('later')).catch(() => undefined)
  })
  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect(bodies()).toEqual(['kept'])
})

test('a continuation can start the next transaction', async () => {
  const { insert, bodies } = await openGroupCommit()
  await insert('a')
    .then(() => insert('b'))
    .then(() => insert('c'))
  expect(bodies()).toEqual(['a', 'b', 'c'])
})

test('a long log is copied to the database in a later turn of the event loop than the commit', async () => {
  const { files, transact, bodies } = await openGroupCommit()
  let isNextTurn = false
  const turns: boolean[] = []
  vi.spyOn(files, 'checkpoint').mockImplementation(() => {
    turns.push(isNextTurn)
    DatabaseFiles.prototype.checkpoint.call(files)
  })
  const insertLarge = () =>
    transact(async () =>
      files.writer().db.prepare('insert into notes (body) values (hex(randomblob(9000000)))').run(),
    )
  await insertLarge()
  setImmediate(() => {
    isNextTurn = true
  })
  await vi.waitFor(() => expect(turns).toEqual([true]))
  expect(files.isLogLong()).toBe(false)
  expect(bodies()).toHaveLength(1)
})
