import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openDatabaseFiles } from '../../src/files/database-files.ts'
import { sqliteStorage } from '../../src/index.ts'
import { createGroupCommit } from '../../src/transactions/group-commit.ts'
import { createTempPath } from '../harness.ts'

async function openGroupCommit() {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  const files = openDatabaseFiles(path)
  files.writer().db.exec('create table notes (id integer primary key, body text unique)')
  const { transact } = createGroupCommit(files)
  const transactRelaxed: typeof transact = (work) => transact(work, { durability: 'relaxed' })
  const insert = (body: string) =>
    transact(async () => files.writer().db.prepare('insert into notes (body) values (?)').run(body))
  const bodies = () => files.reader().db.prepare('select body from notes order by id').pluck().all()
  const commits = () => files.reader().db.pragma('data_version', { simple: true }) as number
  /** 2 where the commit waits for the disk, 1 where it does not. */
  const level = async () => files.writer().db.pragma('synchronous', { simple: true })
  return { files, transact, transactRelaxed, insert, bodies, commits, level }
}

test('one that throws takes back its own writes and no neighbour’s', async () => {
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

test('those of one turn share a commit, and none is answered before it', async () => {
  const { insert, bodies, commits } = await openGroupCommit()
  const before = commits()
  const seen = await Promise.all(['a', 'b', 'c'].map((body) => insert(body).then(bodies)))
  expect(seen).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  expect(commits()).toBe(before + 1)
})

test('work that need not be synced does not wait for the disk, and all other work does, before and after', async () => {
  const { transact, transactRelaxed, level } = await openGroupCommit()
  const levels = []
  for (const begin of [transact, transactRelaxed, transactRelaxed, transact, transactRelaxed, transact])
    levels.push(await begin(level))
  expect(levels).toEqual([2, 1, 1, 2, 1, 2])
})

test('in one turn with work that waits for the disk it waits too, and shares the commit', async () => {
  const { insert, transactRelaxed, level, commits } = await openGroupCommit()
  const before = commits()
  const [first, , last] = await Promise.all([transactRelaxed(level), insert('a'), transactRelaxed(level)])
  expect([first, last]).toEqual([2, 2])
  expect(commits()).toBe(before + 1)
})

test('work that is to be synced and comes later is not let into a group that is not, and nothing overtakes it', async () => {
  const { files, transact, transactRelaxed, level, bodies } = await openGroupCommit()
  const seen: unknown[] = []
  const notice = async () => seen.push([await level(), bodies()])
  let later: Promise<unknown> | undefined
  await transactRelaxed(async () => {
    files.writer().db.prepare('insert into notes (body) values (?)').run('first')
    later = Promise.all([transactRelaxed(notice), transact(notice), transactRelaxed(notice)])
    await notice()
  })
  await later
  expect(seen).toEqual([
    [1, []],
    [1, []],
    [2, ['first']],
    [2, ['first']],
  ])
})

test('of more than a group holds, only the part with work that is to be synced waits for the disk', async () => {
  const { transact, transactRelaxed, level } = await openGroupCommit()
  const many = Array.from({ length: 200 }, () => transactRelaxed(level))
  const levels = await Promise.all([...many, transact(level)])
  expect(levels.slice(0, 128).every((each) => each === 1)).toBe(true)
  expect(levels.slice(128).every((each) => each === 2)).toBe(true)
})

test('whether the disk is waited for is known of connections that were opened anew, too', async () => {
  const { files, transact, transactRelaxed, level } = await openGroupCommit()
  const levels = [await transactRelaxed(level)]
  for (const begin of [transact, transactRelaxed, transactRelaxed, transact]) {
    files.noteError(new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_READ'))
    levels.push(await begin(level))
  }
  expect(levels).toEqual([1, 2, 1, 1, 2])
})

test('more than a group holds are all answered', async () => {
  const { insert, bodies } = await openGroupCommit()
  await Promise.all(Array.from({ length: 300 }, (_, index) => insert(`note ${index}`)))
  expect(bodies()).toHaveLength(300)
})

test('a full disk fails the group and no write is half there; with room again writes work', async () => {
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
  await expect(transact(async () => 'still here')).resolves.toBe('still here')
})

test('what the work writes after a full disk has ended its transaction is not kept', async () => {
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

test('what it changes then and has given back is not kept either', async () => {
  const { bodies, files, transact } = await openGroupCommit()
  const { db: file } = files.writer()
  file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
  const add = {
    name: 'add',
    sql: 'insert into notes (body) values (?)',
    params: ['body'],
    plan: 'generic',
  } as const
  const insertReturning = { ...add, name: 'told', sql: `${add.sql} returning id` }
  const failing = transact(async ({ executeMany, query }) => {
    await executeMany(add, [['x'.repeat(20_000)]]).catch(() => undefined)
    await query(insertReturning, ['later'])
  })
  await expect(failing).rejects.toThrow('The transaction has failed.')
  expect(bodies()).toEqual([])
})

test('a full disk within an attempt ends the whole transaction, though the work goes on', async () => {
  const { insert, bodies, files, transact } = await openGroupCommit()
  await insert('kept')
  const { db: file } = files.writer()
  file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
  const add = (body: string) => file.prepare('insert into notes (body) values (?)').run(body)
  const neighbour = insert('neighbour')
  const failing = transact(async ({ savepoint }) => {
    add('before')
    await savepoint(async () => add('x'.repeat(20_000))).catch(() => undefined)
    return 'went on'
  })
  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  await expect(neighbour).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect(bodies()).toEqual(['kept'])
  file.pragma('max_page_count = 100000')
  await insert('after')
  expect(bodies()).toEqual(['kept', 'after'])
})

test('what a later attempt writes after a full disk has ended the transaction is not kept', async () => {
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

test('an answer that starts the next transaction gets it', async () => {
  const { insert, bodies } = await openGroupCommit()
  await insert('a')
    .then(() => insert('b'))
    .then(() => insert('c'))
  expect(bodies()).toEqual(['a', 'b', 'c'])
})
