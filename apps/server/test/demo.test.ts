import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { loadSettings } from '../src/config.ts'
import { prepareDemo } from '../src/demo/prepare.ts'
import { welcome } from '../src/demo/welcome.ts'
import { openStore } from '../src/open-store.ts'

const MAIN = join(import.meta.dirname, '../src/demo.ts')

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'crm-demo-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** The lines the demo prints up to its last. */
async function linesOf(child: ReturnType<typeof startDemo>): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('Ctrl+C')) break
  }
  return lines
}

function startDemo(cwd: string, port: number) {
  return spawn(process.execPath, [MAIN], { cwd, env: { PORT: String(port) }, stdio: ['ignore', 'pipe', 'inherit'] })
}

test('the demo starts the service and prints commands that work', async () => {
  const [cwd, port] = [await folder(), await freePort()]
  const demo = startDemo(cwd, port)
  onTestFinished(() => void demo.kill('SIGKILL'))
  const lines = await linesOf(demo)
  const [, list = '', token = ''] =
    /^curl '(\S+)' -H "Authorization: Bearer (\S+)"$/.exec(lines.find((line) => line.startsWith("curl '")) ?? '') ?? []
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const listed = await fetch(list, { headers })
  expect(listed.status).toBe(200)
  const task = /^curl -X PATCH (\S+) /.exec(lines.find((line) => line.startsWith('curl -X PATCH')) ?? '')?.[1]
  const completed = await fetch(task ?? '', { method: 'PATCH', headers, body: '{"completed":true}' })
  expect(await completed.json()).toMatchObject({ data: { completed: true } })
  expect(lines.join('\n')).not.toContain('\x1b')
  demo.kill('SIGTERM')
  expect(await once(demo, 'exit')).toEqual([0, null])
})

test('the demo workspace is kept, and each run has a token of its own', async () => {
  const path = await folder()
  const settings = loadSettings({ DATABASE_URL: `sqlite:${path}/crm.db`, DATA_DIR: path })
  const first = await prepareDemo(settings)
  const second = await prepareDemo(settings)
  expect(second).toEqual({ ...first, token: second.token })
  expect(second.token).not.toBe(first.token)

  const { crm, close } = await openStore(settings, { serving: false })
  const ana = await crm.operator.actorFor({ workspace: 'demo', email: 'ana@demo.example' })
  expect((await crm.people.list(ana)).meta.total).toBe(60)
  expect((await crm.companies.list(ana)).meta.total).toBe(30)
  expect((await crm.members.list(ana)).meta.total).toBe(4)
  expect((await crm.pipelines.list(ana)).meta.total).toBe(2)
  await close()
})

const DEMO = { baseUrl: 'http://127.0.0.1:3000', workspace: 'demo', clientId: 'c', token: 't.o.k', taskId: 'id-1' }

test('colours are left out where they are not wanted', () => {
  expect(welcome(DEMO, { colour: false })).not.toContain('\x1b')
  expect(welcome(DEMO, { colour: true })).toContain('\x1b[1m')
})

test('without an open task no task is offered to complete', () => {
  expect(welcome(DEMO, { colour: false })).toContain('curl -X PATCH http://127.0.0.1:3000/v1/tasks/id-1 ')
  expect(welcome({ ...DEMO, taskId: undefined }, { colour: false })).not.toContain('PATCH')
})
