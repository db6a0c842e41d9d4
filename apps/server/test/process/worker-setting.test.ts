import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { freePort, startService, temporaryFolder } from '../support/service-process.ts'
import { testDatabaseUrl } from '../support/stores.ts'

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const postgresUrl = inject('postgresUrl')

/** Starts a process of the service with its own port and folder. */
async function startProcess(env: Readonly<Record<string, string>>) {
  const dataDir = await temporaryFolder()
  const fullEnv = {
    DATABASE_URL: `sqlite:${dataDir}/crm.db`,
    ...env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
  }
  return { ...(await startService(fullEnv)), mail: join(dataDir, 'mail') }
}

async function register(address: string): Promise<void> {
  const app = {
    name: 'Radar',
    email: 'dev@radar.example',
    redirect_uris: ['https://radar.example/cb'],
    scopes: ['people:read'],
  }
  const { status } = await fetch(`${address}/v1/auth/register-app`, {
    method: 'POST',
    body: JSON.stringify(app),
    headers: { 'Content-Type': 'application/json' },
  })
  expect(status).toBe(201)
}

function credentialsLinkIn(mail: string, address: string): string {
  const link = /http:\S+\/credentials\/crm_ln_[0-9a-f]{96}/.exec(mail)?.[0]
  expect(link).toContain(`${address}/credentials/`)
  return link!
}

test('logs where mail is written without a mail server, and writes it there', async () => {
  const { address, mail, waitForLine, stop } = await startProcess({})
  await waitForLine(`Mail is written to ${mail}, since SMTP_URL is not set.`)
  await register(address)
  const { file } = await waitForLine('A mail was written.')
  expect(await readdir(mail)).toEqual([file])
  const mailText = await readFile(join(mail, String(file)), 'utf8')
  expect(mailText).toMatch(/^To: dev@radar\.example$/m)
  expect((await fetch(credentialsLinkIn(mailText, address))).status).toBe(200)
  expect(await stop()).toEqual([0, null])
})

test.skipIf(postgresUrl === null)('a process with WORKER=false leaves mail to another process', async () => {
  const url = await testDatabaseUrl(postgresUrl!)
  const listQueuedMail = () => rowsOf(url, "select 'mail' from queued_mail")
  const env = { DATABASE_URL: url, DATABASE_POOL: '3', SECRET_KEY }
  const serverProcess = await startProcess({ ...env, WORKER: 'false' })
  await register(serverProcess.address)
  expect(await listQueuedMail()).toEqual(['mail'])

  // This process polls for mail only a second after its start, so the other would send it first if it
  // polled.
  const workerProcess = await startProcess({ ...env, WORKER: 'true' })
  const { file } = await workerProcess.waitForLine('A mail was written.')
  const mailText = await readFile(join(workerProcess.mail, String(file)), 'utf8')
  expect((await fetch(credentialsLinkIn(mailText, serverProcess.address))).status).toBe(200)
  expect(await workerProcess.stop()).toEqual([0, null])
  expect(await listQueuedMail()).toEqual([])

  expect(await serverProcess.stop()).toEqual([0, null])
  await serverProcess.waitForLine('Stopping: no new connections; received requests are answered.')
  expect(serverProcess.lines.filter(({ msg }) => /mail/i.test(msg))).toEqual([])
  expect(existsSync(serverProcess.mail)).toBe(false)
})

async function rowsOf(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows.flat()
}
