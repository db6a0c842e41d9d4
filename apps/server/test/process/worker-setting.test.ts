import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { freePort, startService, temporaryFolder } from '../support/service-process.ts'
import { testDatabaseUrl } from '../support/stores.ts'

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const postgresUrl = inject('postgresUrl')

/** A process of the service with a port and a folder of its own. */
async function startProcess(env: Readonly<Record<string, string>>) {
  const dataDir = await temporaryFolder()
  const own = {
    DATABASE_URL: `sqlite:${dataDir}/crm.db`,
    ...env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
  }
  return { ...(await startService(own)), mail: join(dataDir, 'mail') }
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

function linkIn(mail: string, address: string): string {
  const link = /http:\S+\/credentials\/crm_ln_[0-9a-f]{96}/.exec(mail)?.[0]
  expect(link).toContain(`${address}/credentials/`)
  return link!
}

test('a process without a mail server says where mail is written, and there it is with its link', async () => {
  const { address, mail, waitForLine: said, stop } = await startProcess({})
  await said(`Mail is written to ${mail}, since SMTP_URL is not set.`)
  await register(address)
  const { file } = await said('A mail was written.')
  expect(await readdir(mail)).toEqual([file])
  const written = await readFile(join(mail, String(file)), 'utf8')
  expect(written).toMatch(/^To: dev@radar\.example$/m)
  expect((await fetch(linkIn(written, address))).status).toBe(200)
  expect(await stop()).toEqual([0, null])
})

test.skipIf(postgresUrl === null)(
  'a process that does no work leaves a letter to another, which writes it',
  async () => {
    const url = await testDatabaseUrl(postgresUrl!)
    const letters = () => rowsOf(url, "select 'letter' from queued_mail")
    const env = { DATABASE_URL: url, DATABASE_POOL: '3', SECRET_KEY }
    const serving = await startProcess({ ...env, WORKER: 'false' })
    await register(serving.address)
    expect(await letters()).toEqual(['letter'])

    // It looks for mail only a second after its start: the other one would have been first, did it look at all.
    const working = await startProcess({ ...env, WORKER: 'true' })
    const { file } = await working.waitForLine('A mail was written.')
    const written = await readFile(join(working.mail, String(file)), 'utf8')
    expect((await fetch(linkIn(written, serving.address))).status).toBe(200)
    expect(await working.stop()).toEqual([0, null])
    expect(await letters()).toEqual([])

    expect(await serving.stop()).toEqual([0, null])
    await serving.waitForLine('Stopping: no new connections; received requests are answered.')
    expect(serving.lines.filter(({ msg }) => /mail/i.test(msg))).toEqual([])
    expect(existsSync(serving.mail)).toBe(false)
  },
)

async function rowsOf(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows.flat()
}
