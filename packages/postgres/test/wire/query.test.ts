import pg from 'pg'
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { clientConfig } from '../../src/wire/pool.ts'
import { query } from '../../src/wire/query.ts'

const server = inject('postgresUrl')
const SQL = 'select $1::int8 as number, now() as instant, null::text as nothing'

describe.runIf(server !== null)('a query', () => {
  let client: pg.Client

  beforeEach(async () => {
    client = new pg.Client(clientConfig({ url: server! }))
    await client.connect()
    onTestFinished(() => client.end())
  })

  const readPrepared = async () => {
    const { rows } = await client.query<{ name: string; statement: string }>(
      'select name, statement from pg_prepared_statements',
    )
    return rows
  }

  test('with a name is prepared once, also if it is sent again before the first result', async () => {
    const numbers = [7, 8, 9]
    const results = await Promise.all(numbers.map((number) => query(client, SQL, [number], 'crm_test')))
    const row = { instant: expect.stringMatching(/^\d{4}-.*Z$/), nothing: null }
    expect(results.map(({ rows }) => rows)).toEqual(numbers.map((number) => [{ ...row, number }]))
    expect(await readPrepared()).toEqual([{ name: 'crm_test', statement: SQL }])
  })

  test('without a name is not kept as prepared', async () => {
    expect((await query(client, SQL, [1])).rows).toMatchObject([{ number: 1 }])
    expect(await readPrepared()).toEqual([])
  })

  test('that the database refuses is rejected with its error, and those sent after it are answered', async () => {
    const [refused, answered] = await Promise.allSettled([
      query(client, 'select 1 / $1::int8', [0]),
      query(client, SQL, [2]),
    ])
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
    expect(answered).toMatchObject({ status: 'fulfilled', value: { rows: [{ number: 2 }] } })
  })
})
