import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createClient } from '@sales-crm/client'
import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { nodePorts } from '@sales-crm/node'
import { createServer } from '@sales-crm/server'
import { createFollowUps } from './follow-ups.js'
import { readTokens } from './token-file.js'

const MAIN = join(import.meta.dirname, 'main.js')
const TONIGHT = { since: instantOf(-14), due_date: instantOf(1) }
const TASKS = [...[1, 2, 3, 4].map((number) => `Follow up on Quiet ${number}`), 'Visit', 'Visit', 'Visit']

/** Returns the instant so many days from now. */
function instantOf(days) {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

/** Creates four quiet deals, and those that need no task. */
async function openCrm() {
  let day = -30
  const ports = { ...nodePorts(), storage: memoryStorage(), now: () => instantOf(day) }
  const crm = createCrm(ports)
  const workspace = 'acme'
  const owner = { owner_name: 'Olga', owner_email: 'olga@acme.example' }
  await crm.operator.createWorkspace({ name: 'Acme', slug: workspace, ...owner })
  const olga = await crm.operator.actorFor({ workspace, email: owner.owner_email })
  const stages = [{ name: 'New' }, { name: 'Won', type: 'win' }]
  const pipeline = await crm.pipelines.create(olga, { name: 'Sales', stages })
  const createDeal = (name, more) => crm.deals.create(olga, { name, owner_email: owner.owner_email, ...more })
  const createTask = (deal, more) => crm.tasks.create(olga, { title: 'Visit', deal_id: deal.id, ...more })
  for (const name of ['Quiet 1', 'Quiet 2', 'Quiet 3']) await createDeal(name)
  await createTask(await createDeal('Quiet 4'), { completed: true })
  await createDeal('Won', { stage_id: pipeline.stages[1].id })
  const planned = await createDeal('Planned')
  await createTask(planned)
  const called = await createDeal('Called')
  const visited = await createDeal('Visited')
  day = -5
  await crm.activities.create(olga, { entity: 'deals', entity_id: called.id, content_html: 'Called.' })
  await createTask(visited, { completed: true })
  await createDeal('New')
  day = 0
  const app = await crm.operator.createApp({
    name: 'Nightly job',
    email: 'dev@acme.example',
    redirect_uris: ['https://job.example/callback'],
    scopes: ['deals:read', 'activities:read', 'tasks:read', 'tasks:write'],
  })
  const tokens = await crm.operator.createToken({
    workspace,
    client_id: app.client_id,
    user_email: owner.owner_email,
  })
  const listTasks = async () => {
    const { data } = await crm.tasks.list(olga)
    return data.map(({ title }) => title).sort()
  }
  return { server: createServer({ crm, ports }), ports, app, tokens, listTasks }
}

test('creates one task for each quiet deal, even if responses are lost', async () => {
  const { server, ports, tokens, listTasks } = await openCrm()
  let creations = 0
  const crm = createClient({
    url: ports.issuer,
    token: tokens.access_token,
    async fetch(url, init) {
      const isCreation = init.method === 'POST'
      if (isCreation && ++creations === 1) throw new TypeError('The service is restarting.')
      const response = await server.fetch(new Request(url, init))
      if (isCreation && creations === 3) throw new TypeError('The response was lost.')
      return response
    },
  })
  assert.equal(await createFollowUps(crm, TONIGHT), 4)
  assert.deepEqual(await listTasks(), TASKS)
  assert.equal(await createFollowUps(crm, TONIGHT), 0)
  assert.deepEqual(await listTasks(), TASKS)
})

test('runs every night with the tokens of the night before, and waits for the service', async (t) => {
  const { server, app, tokens, listTasks } = await openCrm()
  const http = createHttpServer(server.listener)
  t.after(() => http.close())
  const port = await startAfterOneConnection(http)
  const file = join(await mkdtemp(join(tmpdir(), 'nightly-job-')), 'tokens.json')
  // Without an access token each run refreshes.
  await writeFile(file, JSON.stringify({ refresh_token: tokens.refresh_token }))
  const env = {
    PATH: process.env.PATH,
    CRM_URL: `http://127.0.0.1:${port}`,
    CRM_CLIENT_ID: app.client_id,
    CRM_CLIENT_SECRET: app.client_secret,
    TOKENS_FILE: file,
  }
  const runJob = async () => (await promisify(execFile)(process.execPath, [MAIN], { env })).stdout
  assert.equal(await runJob(), 'Created 4 tasks.\n')
  const { refresh_token } = await readTokens(file)
  assert.notEqual(refresh_token, tokens.refresh_token)
  await writeFile(file, JSON.stringify({ refresh_token }))
  assert.equal(await runJob(), 'Created 0 tasks.\n')
  assert.deepEqual(await listTasks(), TASKS)
})

/** Ends the first connection to the port, and then starts the server there. */
async function startAfterOneConnection(http) {
  const starting = createTcpServer((socket) => {
    socket.destroy()
    starting.close(() => http.listen(port, '127.0.0.1'))
  }).listen(0, '127.0.0.1')
  await once(starting, 'listening')
  const { port } = starting.address()
  return port
}
