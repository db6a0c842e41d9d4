import { setImmediate } from 'node:timers/promises'
import type { Connection, Statement } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createIdleConnection } from '../../src/transactions/idle-connection.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

const STATEMENT: Statement = { name: 's', sql: 'select 1', params: [], plan: 'generic' }

/** Holds the event loop. */
function blockEventLoop(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** A connection that notes what it is given, and the turns of the event loop. */
function createRecordingConnection() {
  const calls: unknown[] = []
  const connection: Connection = {
    query: async (_, [name]) => {
      calls.push(name)
      return []
    },
    execute: async (_, [name]) => calls.push(name),
    executeMany: async (_, [list]) => void calls.push(...(list ?? [])),
    savepoint(part) {
      calls.push('part')
      return part()
    },
  }
  return { notes: calls, ...createIdleConnection(connection) }
}

test('who reads need not wait for the end of a long transaction', async () => {
  const storage = await sqliteStorage({ file: createTempPath() })
  const ends: string[] = []
  const writing = storage.transact(async (tx) => {
    for (let nth = 0; nth < 20; nth += 1) {
      blockEventLoop(10)
      await tx.workspace(WORKSPACE).snapshots.get(WORKSPACE)
    }
    ends.push('write')
  })
  // By now the transaction has begun.
  await setImmediate()
  await storage.read((tx) => tx.workspaces.find([])).then(() => ends.push('read'))
  await writing
  expect(ends).toEqual(['read', 'write'])
  await storage.close()
})

test('statements keep their order, those too that are given while others wait for their turn', async () => {
  const { notes, connection } = createRecordingConnection()
  blockEventLoop(25)
  const given = [
    connection.query(STATEMENT, ['a']),
    connection.executeMany(STATEMENT, [['b']]),
    connection.savepoint(() => connection.execute(STATEMENT, ['c'])),
    connection.execute(STATEMENT, ['d']),
  ]
  expect(notes).toEqual([])
  await Promise.all(given)
  await connection.execute(STATEMENT, ['e'])
  expect(notes).toEqual(['a', 'b', 'part', 'c', 'd', 'e'])
})

test('a short transaction waits for nobody', async () => {
  const { notes, connection } = createRecordingConnection()
  void connection.execute(STATEMENT, ['a'])
  expect(notes).toEqual(['a'])
})

test('what waits for its turn when the transaction ends is not in the next one', async () => {
  const { notes, connection, end } = createRecordingConnection()
  blockEventLoop(25)
  const late = connection.executeMany(STATEMENT, [['a']])
  end()
  await expect(late).rejects.toThrow('The transaction is over.')
  expect(notes).toEqual([])
})
