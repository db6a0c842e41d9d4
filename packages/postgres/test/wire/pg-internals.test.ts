import { Socket } from 'node:net'
import pg from 'pg'
import { describe, expect, inject, test, vi } from 'vitest'
import { clientConfig } from '../../src/wire/pool.ts'
import { query } from '../../src/wire/query.ts'

const server = inject('postgresUrl')
const SQL = 'select $1::int8 as number, now() as instant, null::text as nothing'

/** The private part of a client that `src/wire` uses, and that a new version of `pg` may change. */
interface PrivateClient {
  readonly connection: { readonly stream: unknown; describe(message: object): void }
}

describe.runIf(server !== null)('a query', () => {
  test('is described once by its text, also for other clients, and its rows are parsed alike', async () => {
    const clients = [
      new pg.Client(clientConfig({ url: server! })),
      new pg.Client(clientConfig({ url: server! })),
    ]
    const describes: unknown[] = []
    const rows: unknown[] = []
    for (const client of clients) {
      await client.connect()
      const { connection } = client as unknown as PrivateClient
      describes.push(vi.spyOn(connection, 'describe'))
      for (let run = 0; run < 2; run += 1) rows.push((await query(client, SQL, [7], 'crm_test')).rows[0])
    }
    expect(describes[0]).toHaveBeenCalledTimes(1)
    expect(describes[1]).not.toHaveBeenCalled()
    const row = { number: 7, instant: expect.stringMatching(/^\d{4}-.*Z$/), nothing: null }
    expect(rows).toEqual([row, row, row, row])
    for (const client of clients) await client.end()
  })

  test('without a name is described each time', async () => {
    const client = new pg.Client(clientConfig({ url: server! }))
    await client.connect()
    const spy = vi.spyOn((client as unknown as PrivateClient).connection, 'describe')
    for (const number of [1, 2]) expect((await query(client, SQL, [number])).rows).toMatchObject([{ number }])
    expect(spy).toHaveBeenCalledTimes(2)
    await client.end()
  })

  test('is sent over the stream of the connection, a socket', async () => {
    const client = new pg.Client(clientConfig({ url: server! }))
    await client.connect()
    expect((client as unknown as PrivateClient).connection.stream).toBeInstanceOf(Socket)
    await client.end()
  })
})
