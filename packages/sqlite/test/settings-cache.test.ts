import { setImmediate } from 'node:timers/promises'
import type { Transaction } from '@sales-crm/core/ports'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteDialect } from '../src/dialect/sqlite-dialect.ts'
import { createConnection } from '../src/files/file-connection.ts'
import { sqliteStorage } from '../src/index.ts'
import { addTaskType, createTempPath, readKeys, WORKSPACE } from './harness.ts'

const OTHER = '0191d2f0-0000-7000-8000-000000000002'
const AT = '2026-03-01T12:00:00.000Z'
const SHARED = '00000000-0000-0000-0000-000000000000'

function user(id: string, name: string) {
  return {
    id,
    email: `${id}@one.example`,
    name,
    password_hash: null,
    workspace_ids: [],
    created_at: AT,
    updated_at: AT,
  }
}

test('what another connection changes is seen from the next turn on, were it the operator with an older program', async () => {
  const path = createTempPath()
  const serving = await sqliteStorage({ file: path })
  const beside = await sqliteStorage({ file: path })
  await addTaskType(serving, 'call', 1)
  expect(await readKeys(serving)).toEqual(['call'])
  await addTaskType(beside, 'visit', 2)
  expect(await readKeys(serving)).toEqual(['call', 'visit'])
  const file = new Database(path)
  file.prepare("update task_types set key = 'meeting' where key = 'visit'").run()
  await setImmediate()
  expect(await readKeys(serving)).toEqual(['call', 'meeting'])
  file.prepare("delete from task_types where key = 'call'").run()
  file.close()
  await setImmediate()
  expect(await readKeys(serving)).toEqual(['meeting'])
  await Promise.all([serving.close(), beside.close()])
})

test('a user who is renamed is so in every workspace at once', async () => {
  const path = createTempPath()
  const [serving, beside] = [await sqliteStorage({ file: path }), await sqliteStorage({ file: path })]
  await serving.transact((tx) => tx.users.insert(user(OTHER, 'Ana')))
  const nameIn = (workspace: string) =>
    serving.read(async (tx) => {
      await tx.workspace(workspace).pipelines.find([])
      return (await tx.users.get(OTHER))?.name
    })
  expect([await nameIn(WORKSPACE), await nameIn(OTHER)]).toEqual(['Ana', 'Ana'])
  await beside.transact((tx) => tx.users.update(user(OTHER, 'Bia')))
  expect([await nameIn(WORKSPACE), await nameIn(OTHER)]).toEqual(['Bia', 'Bia'])
  await Promise.all([serving.close(), beside.close()])
})

test('a change gives settings a version that was never there, one taken back leaves the one before, and of others none', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const file = new Database(path, { readonly: true })
  const version = (scope: string) =>
    file.prepare('select version from settings_versions where scope = ?').pluck().get(scope)
  const before = version(SHARED)
  await addTaskType(storage, 'call', 1)
  const first = version(WORKSPACE)
  const failed = storage.transact(async (tx) => {
    await tx.workspace(WORKSPACE).task_types.softDelete('0191d2f0-0000-7000-8000-000000000001', AT)
    throw new Error('taken back')
  })
  await expect(failed).rejects.toThrow('taken back')
  expect(version(WORKSPACE)).toBe(first)
  await storage.transact((tx) =>
    tx.workspace(WORKSPACE).task_types.softDelete('0191d2f0-0000-7000-8000-000000000001', AT),
  )
  expect(version(WORKSPACE)).not.toBe(first)
  expect(version(OTHER)).toBeUndefined()
  expect(version(SHARED)).toBe(before)
  file.close()
  await storage.close()
})

test('what is remembered is not asked for again: of a second look at settings, their version alone is read', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  await storage.transact((tx) => tx.users.insert(user(OTHER, 'Ana')))
  await storage.close()
  const file = new Database(path)
  const connectionToFile = createConnection(file)
  const sent: string[] = []
  const connection: Connection = {
    ...connectionToFile,
    async query(statement, values) {
      sent.push(/from "(\w+)"/.exec(statement.sql)![1]!)
      return connectionToFile.query(statement, values)
    },
    savepoint: (part) => part(),
  }
  const never = () => Promise.reject(new Error('Not used here.'))
  const read = <T>(work: (connection: Connection) => Promise<T>) => work(connection)
  const countedStorage = sqlStorage(
    {
      read,
      transact: never,
      check: never,
      close: never,
    },
    sqliteDialect,
  )
  const look = (tx: Transaction) =>
    Promise.all([
      tx.workspace(WORKSPACE).task_types.find([]),
      tx.workspace(WORKSPACE).task_types.getMany(['0191d2f0-0000-7000-8000-000000000001']),
      tx.users.get(OTHER),
    ])
  const first = await countedStorage.read(look)
  expect(sent.filter((table) => table !== 'settings_versions').sort()).toEqual([
    'task_types',
    'task_types',
    'users',
  ])
  sent.length = 0
  expect(await countedStorage.read(look)).toEqual(first)
  expect(sent).toEqual(['settings_versions'])
  file.close()
})
