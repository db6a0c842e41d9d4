import { setImmediate } from 'node:timers/promises'
import type { Connection, Statement } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../src/index.ts'
import { restingConnection } from '../src/resting.ts'
import { freshPath, WORKSPACE } from './harness.ts'

const STATEMENT: Statement = { name: 's', sql: 'select 1', args: [], planned: 'once' }

/** Holds the event loop. */
function hold(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** A connection that notes what it is given, and the turns of the event loop. */
function noting() {
  const notes: unknown[] = []
  const connection: Connection = {
    rows: async (_, [name]) => {
      notes.push(name)
      return []
    },
    run: async (_, [name]) => notes.push(name),
    write: async (_, [list]) => void notes.push(...(list ?? [])),
    attempt(part) {
      notes.push('part')
      return part()
    },
  }
  return { notes, ...restingConnection(connection) }
}

test('who reads need not wait for the end of a long transaction', async () => {
  const storage = await sqliteStorage({ file: freshPath() })
  const ends: string[] = []
  const writing = storage.transact(async (tx) => {
    for (let nth = 0; nth < 20; nth += 1) {
      hold(10)
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
  const { notes, connection } = noting()
  hold(25)
  const given = [
    connection.rows(STATEMENT, ['a']),
    connection.write(STATEMENT, [['b']]),
    connection.attempt(() => connection.run(STATEMENT, ['c'])),
    connection.run(STATEMENT, ['d']),
  ]
  expect(notes).toEqual([])
  await Promise.all(given)
  await connection.run(STATEMENT, ['e'])
  expect(notes).toEqual(['a', 'b', 'part', 'c', 'd', 'e'])
})

test('a short transaction waits for nobody', async () => {
  const { notes, connection } = noting()
  void connection.run(STATEMENT, ['a'])
  expect(notes).toEqual(['a'])
})

test('what waits for its turn when the transaction ends is not in the next one', async () => {
  const { notes, connection, end } = noting()
  hold(25)
  const late = connection.write(STATEMENT, [['a']])
  end()
  await expect(late).rejects.toThrow('The transaction is over.')
  expect(notes).toEqual([])
})
