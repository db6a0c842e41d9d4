import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { databaseOf } from './stores.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const postgresUrl = inject('postgresUrl')

interface Line {
  readonly msg: string
  readonly file?: string
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'crm-worker-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await new Promise((closed) => taken.close(closed))
  return port
}

/** A process of the service with a port and a folder of its own, once it listens. */
async function started(env: Readonly<Record<string, string>>) {
  const [dataDir, port] = [await folder(), await freePort()]
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], DATABASE_URL: `sqlite:${dataDir}/crm.db`, ...env, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { seen, until } = logOf(child)
  const address = `http://127.0.0.1:${port}`
  await until(`Listening on ${address}`)
  return { address, mail: join(dataDir, 'mail'), seen, until, stop: () => stopped(child) }
}

function logOf(child: ChildProcess) {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const seen: string[] = []
  return {
    seen,
    /** The first line from here on that says so. */
    async until(msg: string): Promise<Line> {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`The process never said ${msg}`)
        const line = JSON.parse(value) as Line
        seen.push(line.msg)
        if (line.msg === msg) return line
      }
    },
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
}

async function register(address: string): Promise<void> {
  const app = { name: 'Radar', email: 'dev@radar.example', redirect_uris: ['https://radar.example/cb'], scopes: ['people:read'] }
  const { status } = await fetch(`${address}/v1/auth/register-app`, {
    method: 'POST',
    body: JSON.stringify(app),
    headers: { 'Content-Type': 'application/json' },
  })
  expect(status).toBe(201)
}

function linkIn(mail: string, address: string): string {
  const link = /http:\S+\/credentials\/crm_ln_[0-9a-f]{96}/.exec(mail)?.[0]
  expect(link).toContain(`${address}/credentials/`)
  return link!
}

test('a process without a mail server says where mail is written, and there it is with its link', async () => {
  const { address, mail, until, stop } = await started({})
  await until(`Mail is written to ${mail}, since SMTP_URL is not set.`)
  await register(address)
  const { file } = await until('A mail was written.')
  expect(await readdir(mail)).toEqual([file])
  const written = await readFile(join(mail, file!), 'utf8')
  expect(written).toMatch(/^To: dev@radar\.example$/m)
  expect((await fetch(linkIn(written, address))).status).toBe(200)
  await stop()
})

test.skipIf(postgresUrl === null)('a process that does no work leaves a letter to another, which writes it', async () => {
  const url = await databaseOf(postgresUrl!)
  const letters = () => rowsOf(url, "select 'letter' from letters")
  const env = { DATABASE_URL: url, DATABASE_POOL: '3', SECRET_KEY }
  const serving = await started({ ...env, WORKER: 'false' })
  await register(serving.address)
  expect(await letters()).toEqual(['letter'])

  // It looks for mail only a second after its start: the other one would have been first, did it look at all.
  const working = await started({ ...env, WORKER: 'true' })
  const { file } = await working.until('A mail was written.')
  const written = await readFile(join(working.mail, file!), 'utf8')
  expect((await fetch(linkIn(written, serving.address))).status).toBe(200)
  await working.stop()
  expect(await letters()).toEqual([])

  await serving.stop()
  await serving.until('Stopping: no new connections, answering what has come.')
  expect(serving.seen.filter((msg) => /mail/i.test(msg))).toEqual([])
  expect(existsSync(serving.mail)).toBe(false)
})

async function rowsOf(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows.flat()
}
