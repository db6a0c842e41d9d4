import pg from 'pg'

/** `client.query` without the copy of its settings that it would make each time. A name has the statement prepared once. */
export function ask<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query<R>(text, values as unknown[], (error, result) => (error ? reject(error) : resolve(result)))
    client.query(name === undefined ? query : Object.assign(query, { name }))
  })
}
