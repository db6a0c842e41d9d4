import pg from 'pg'

/** Runs a statement, outside a transaction and on a connection of its own. */
export async function runStatement<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
