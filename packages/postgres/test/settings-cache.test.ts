import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { type PostgresStorage, postgresStorage } from '../src/index.ts'
import { freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')
const WORKSPACE = '0191d2f0-0000-7000-8000-000000000001'
const USER = '0191d2f0-0000-7000-8000-000000000002'
const AT = '2026-03-01T12:00:00.000Z'

function pipeline(id: string, name: string) {
  return { id, name, created_at: AT, updated_at: AT }
}

function readNames({ read }: PostgresStorage): Promise<string[]> {
  return read(async (tx) => (await tx.workspace(WORKSPACE).pipelines.find([])).map(({ name }) => name))
}

describe.runIf(server !== null)('settings cached by several processes', () => {
  test('a change is visible to the next call of another process, even a change by raw SQL', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await postgresStorage({ url }), await postgresStorage({ url })]
    await one.transact((tx) => tx.workspace(WORKSPACE).pipelines.insert(pipeline(WORKSPACE, 'Sales')))
    expect([await readNames(one), await readNames(other)]).toEqual([['Sales'], ['Sales']])
    await one.transact((tx) => tx.workspace(WORKSPACE).pipelines.update(pipeline(WORKSPACE, 'Rentals')))
    expect([await readNames(one), await readNames(other)]).toEqual([['Rentals'], ['Rentals']])
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query("update pipelines set name = 'Repairs'")
    expect([await readNames(one), await readNames(other)]).toEqual([['Repairs'], ['Repairs']])
    await admin.query('delete from pipelines')
    expect([await readNames(one), await readNames(other)]).toEqual([[], []])
    await admin.end()
    await Promise.all([one.close(), other.close()])
  })

  test('a changed user is invalidated in every process, and a new user is found', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await postgresStorage({ url }), await postgresStorage({ url })]
    const user = (name: string) => ({
      ...{
        id: USER,
        email: 'ana@one.example',
        name,
        password_hash: null,
        email_verified_at: null,
        workspace_ids: [],
      },
      ...{ created_at: AT, updated_at: AT },
    })
    const nameFor = ({ read }: PostgresStorage) => read(async (tx) => (await tx.users.get(USER))?.name)
    expect(await nameFor(other)).toBeUndefined()
    await one.transact((tx) => tx.users.insert(user('Ana')))
    expect(await nameFor(other)).toBe('Ana')
    await one.transact((tx) => tx.users.update(user('Bia')))
    expect([await nameFor(one), await nameFor(other)]).toEqual(['Bia', 'Bia'])
    await Promise.all([one.close(), other.close()])
  })

  test('a read sees the settings of its snapshot and does not cache them for later versions', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await postgresStorage({ url }), await postgresStorage({ url })]
    await one.transact((tx) => tx.workspace(WORKSPACE).pipelines.insert(pipeline(WORKSPACE, 'Sales')))
    const names = await one.read(async (tx) => {
      const { pipelines, tasks } = tx.workspace(WORKSPACE)
      await tasks.find([])
      await other.transact((otherTx) =>
        otherTx.workspace(WORKSPACE).pipelines.update(pipeline(WORKSPACE, 'Rentals')),
      )
      return (await pipelines.find([])).map(({ name }) => name)
    })
    expect(names).toEqual(['Sales'])
    expect([await readNames(one), await readNames(other)]).toEqual([['Rentals'], ['Rentals']])
    await Promise.all([one.close(), other.close()])
  })
})
