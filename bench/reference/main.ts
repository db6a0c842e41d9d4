import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { TaskInput, TaskPatch } from './database.ts'
import { postgresReference } from './postgres.ts'
import { sqliteReference } from './sqlite.ts'
import { personItem, taskView } from './views.ts'

/** A server with the same responses as the service, without authentication, validation and limits. */
const { DATABASE_URL: url = '', DATABASE_POOL: pool, WORKSPACE_ID: workspace = '', PORT } = process.env
const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
const database =
  file === undefined ? postgresReference(url, workspace, Number(pool)) : sqliteReference(file, workspace)

const app = new Hono()
app.get('/readyz', (c) => c.json({ data: { status: 'ok' } }))
app.get('/v1/tasks/:id', async (c) => c.json({ data: taskView(await database.task(c.req.param('id'))) }))
app.get('/v1/people', async (c) => {
  const { rows, total } = await database.people()
  return c.json({ data: rows.map(personItem), meta: { total, page: 1, per_page: 50, has_more: total > 50 } })
})
app.post('/v1/tasks', async (c) =>
  c.json({ data: taskView(await database.createTask(await c.req.json<TaskInput>())) }, 201),
)
app.patch('/v1/tasks/:id', async (c) =>
  c.json({ data: taskView(await database.updateTask(c.req.param('id'), await c.req.json<TaskPatch>())) }),
)

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' })
