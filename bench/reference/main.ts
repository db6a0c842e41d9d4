import { randomUUIDv7 } from 'node:crypto'
import { serve } from '@hono/node-server'
import Database from 'better-sqlite3'
import { Hono } from 'hono'
import { INSERT_TASK, PEOPLE, PEOPLE_COUNT, TASK, UPDATE_TASK } from './statements.ts'
import { personItem, type Row, taskView } from './views.ts'

/**
 * A server with the same responses as the service, without authentication, validation and limits: prepared
 * statements on a durable file, and a commit of its own for each write.
 */
interface TaskInput {
  readonly title: string
  readonly due_date: string
  readonly person_id: string
  readonly company_id: string
  readonly deal_id: string
}

interface TaskPatch {
  readonly title: string
  readonly priority: string
}

const { DATABASE_FILE: file, WORKSPACE_ID: workspace, PORT: port } = process.env
const database = new Database(file)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
const prepare = (sql: string) => database.prepare(sql.replace(/\$\d+/g, '?'))
const [task, people, count] = [prepare(TASK), prepare(PEOPLE), prepare(PEOPLE_COUNT)]
const [insert, update] = [prepare(INSERT_TASK), prepare(UPDATE_TASK)]

const create = database.transaction(({ title, due_date, person_id, company_id, deal_id }: TaskInput) => {
  const [id, at] = [randomUUIDv7(), new Date().toISOString()]
  insert.run(workspace, id, title, due_date, person_id, company_id, deal_id, at, at)
  return task.get(workspace, id) as Row
}).immediate

const change = database.transaction((id: string, { title, priority }: TaskPatch) => {
  update.run(title, priority, new Date().toISOString(), workspace, id)
  return task.get(workspace, id) as Row
}).immediate

const readPage = database.transaction(() => ({
  rows: people.all(workspace) as Row[],
  total: (count.get(workspace) as { total: number }).total,
}))

const app = new Hono()
app.get('/readyz', (c) => c.json({ data: { status: 'ok' } }))
app.get('/v1/tasks/:id', (c) => c.json({ data: taskView(task.get(workspace, c.req.param('id')) as Row) }))
app.get('/v1/people', (c) => {
  const { rows, total } = readPage()
  return c.json({ data: rows.map(personItem), meta: { total, page: 1, per_page: 50, has_more: total > 50 } })
})
app.post('/v1/tasks', async (c) => c.json({ data: taskView(create(await c.req.json<TaskInput>())) }, 201))
app.patch('/v1/tasks/:id', async (c) =>
  c.json({ data: taskView(change(c.req.param('id'), await c.req.json<TaskPatch>())) }),
)

serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
