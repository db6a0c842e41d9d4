import type pg from 'pg'

/**
 * `client.query` with a callback: a named statement is prepared once per session. The promise of `client.query` is
 * settled by a function that `pg` assigns to a property, and V8 allocates such a function in the old generation, with
 * the rows that it retains.
 */
export function query<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    void client.query<R>({ name, text, values: values as unknown[] }, (error, result) =>
      error ? reject(error) : resolve(result),
    )
  })
}
