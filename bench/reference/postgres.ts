import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import type { ReferenceDatabase } from './database.ts'
import { INSERT_TASK, PEOPLE, PEOPLE_COUNT, TASK, UPDATE_TASK } from './statements.ts'
import type { Row } from './views.ts'

const NAMES = new Map(
  [TASK, PEOPLE, PEOPLE_COUNT, INSERT_TASK, UPDATE_TASK].map((text, index) => [text, `reference_${index}`]),
)

/** Runs named prepared statements, one round trip each. */
export function postgresReference(url: string, workspace: string, connections: number): ReferenceDatabase {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  pool.on('error', () => {})

  async function queryRows(
    connection: pg.Pool | pg.PoolClient,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return (await connection.query<Row>({ name: NAMES.get(text)!, text, values: [...values] })).rows
  }

  /** Runs a write and reads the task in the same transaction. */
  async function write(text: string, values: readonly unknown[], id: string): Promise<Row> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await queryRows(client, text, values)
      const [task] = await queryRows(client, TASK, [workspace, id])
      await client.query('commit')
      return task!
    } finally {
      client.release()
    }
  }

  return {
    task: async (id) => (await queryRows(pool, TASK, [workspace, id]))[0]!,
    async people() {
      const [page, [count]] = await Promise.all([
        queryRows(pool, PEOPLE, [workspace]),
        queryRows(pool, PEOPLE_COUNT, [workspace]),
      ])
      return { rows: page, total: Number(count!['total']) }
    },
    createTask({ title, due_date, person_id, company_id, deal_id }) {
      const [id, at] = [randomUUIDv7(), new Date().toISOString()]
      return write(INSERT_TASK, [workspace, id, title, due_date, person_id, company_id, deal_id, at, at], id)
    },
    updateTask: (id, { title, priority }) =>
      write(UPDATE_TASK, [title, priority, new Date().toISOString(), workspace, id], id),
  }
}
