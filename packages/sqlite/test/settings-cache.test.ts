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
    email_verified_at: null,
    workspace_ids: [],
    created_at: AT,
    updated_at: AT,
  }
}

test('changes by other connections and older program versions are visible from the next turn', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const otherStorage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  expect(await readKeys(storage)).toEqual(['call'])
  await addTaskType(otherStorage, 'visit', 2)
  expect(await readKeys(storage)).toEqual(['call', 'visit'])
  const file = new Database(path)
  file.prepare("update task_types set key = 'meeting' where key = 'visit'").run()
  await setImmediate()
  expect(await readKeys(storage)).toEqual(['call', 'meeting'])
  file.prepare("delete from task_types where key = 'call'").run()
  file.close()
  await setImmediate()
  expect(await readKeys(storage)).toEqual(['meeting'])
  await Promise.all([storage.close(), otherStorage.close()])
})

test('a renamed user is visible in every workspace at once', async () => {
  const path = createTempPath()
  const [storage, otherStorage] = [await sqliteStorage({ file: path }), await sqliteStorage({ file: path })]
  await storage.transact((tx) => tx.users.insert(user(OTHER, 'Ana')))
  const nameIn = (workspace: string) =>
    storage.read(async (tx) => {
      await tx.workspace(workspace).pipelines.find([])
      return (await tx.users.get(OTHER))?.name
    })
  expect([await nameIn(WORKSPACE), await nameIn(OTHER)]).toEqual(['Ana', 'Ana'])
  await otherStorage.transact((tx) => tx.users.update(user(OTHER, 'Bia')))
  expect([await nameIn(WORKSPACE), await nameIn(OTHER)]).toEqual(['Bia', 'Bia'])
  await Promise.all([storage.close(), otherStorage.close()])
})

test('a change renews the settings version of its scope only, and a rollback keeps it', async () => {
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
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
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

test('a repeated read of cached settings queries only their version', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  await storage.transact((tx) => tx.users.insert(user(OTHER, 'Ana')))
  await storage.close()
  const file = new Database(path)
  const connectionToFile = createConnection(file)
  const tables: string[] = []
  const connection: Connection = {
    ...connectionToFile,
    async query(statement, values) {
      tables.push(/from "(\w+)"/.exec(statement.sql)![1]!)
      return connectionToFile.query(statement, values)
    },
    savepoint: (work) => work(),
  }
  const rejectUnused = () => Promise.reject(new Error('Not used here.'))
  const read = <T>(work: (connection: Connection) => Promise<T>) => work(connection)
  const countedStorage = sqlStorage(
    {
      read,
      transact: rejectUnused,
      check: rejectUnused,
      close: rejectUnused,
    },
    sqliteDialect,
  )
  const readSettings = (tx: Transaction) =>
    Promise.all([
      tx.workspace(WORKSPACE).task_types.find([]),
      tx.workspace(WORKSPACE).task_types.getMany(['0191d2f0-0000-7000-8000-000000000001']),
      tx.users.get(OTHER),
    ])
  const first = await countedStorage.read(readSettings)
  expect(tables.filter((table) => table !== 'settings_versions').sort()).toEqual([
    'task_types',
    'task_types',
    'users',
  ])
  tables.length = 0
  expect(await countedStorage.read(readSettings)).toEqual(first)
  expect(tables).toEqual(['settings_versions'])
  file.close()
})
