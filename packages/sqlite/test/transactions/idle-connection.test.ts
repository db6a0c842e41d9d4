import { setImmediate } from 'node:timers/promises'
import type { Connection, Statement } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createIdleConnection } from '../../src/transactions/idle-connection.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

const STATEMENT: Statement = { name: 's', sql: 'select 1', params: [], plan: 'generic' }

function blockEventLoop(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** A connection that records its calls. */
function createRecordingConnection() {
  const calls: unknown[] = []
  const connection: Connection = {
    query: async (_, [name]) => {
      calls.push(name)
      return []
    },
    execute: async (_, [name]) => calls.push(name),
    executeMany: async (_, [list]) => void calls.push(...(list ?? [])),
    savepoint(work) {
      calls.push('savepoint')
      return work()
    },
  }
  return { calls, ...createIdleConnection(connection) }
}

test('a read does not wait for the end of a long transaction', async () => {
  const storage = await sqliteStorage({ file: createTempPath() })
  const ends: string[] = []
  const writing = storage.transact(async (tx) => {
    for (let nth = 0; nth < 20; nth += 1) {
      blockEventLoop(10)
      await tx.workspace(WORKSPACE).snapshots.get(WORKSPACE)
    }
    ends.push('write')
  })
  // The transaction has begun.
  await setImmediate()
  await storage.read((tx) => tx.workspaces.find([])).then(() => ends.push('read'))
  await writing
  expect(ends).toEqual(['read', 'write'])
  await storage.close()
})

test('statements keep their order while some wait for the event loop', async () => {
  const { calls, connection } = createRecordingConnection()
  blockEventLoop(25)
  const results = [
    connection.query(STATEMENT, ['a']),
    connection.executeMany(STATEMENT, [['b']]),
    connection.savepoint(() => connection.execute(STATEMENT, ['c'])),
    connection.execute(STATEMENT, ['d']),
  ]
  expect(calls).toEqual([])
  await Promise.all(results)
  await connection.execute(STATEMENT, ['e'])
  expect(calls).toEqual(['a', 'b', 'savepoint', 'c', 'd', 'e'])
})

test('a short transaction does not yield', async () => {
  const { calls, connection } = createRecordingConnection()
  void connection.execute(STATEMENT, ['a'])
  expect(calls).toEqual(['a'])
})

test('a statement still waiting when its transaction ends does not run in the next one', async () => {
  const { calls, connection, end } = createRecordingConnection()
  blockEventLoop(25)
  const late = connection.executeMany(STATEMENT, [['a']])
  end()
  await expect(late).rejects.toThrow('The transaction is over.')
  expect(calls).toEqual([])
})
