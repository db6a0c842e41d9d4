import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ACME, createCli, PASSWORD } from '../support/crm-cli.ts'
import { freePort, startService, temporaryFolder } from '../support/service-process.ts'
import { type ReceivedDelivery, startWebhookReceiver } from '../support/webhook-receiver.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const PAGE = readFileSync(join(ROOT, 'docs/backup-and-restore.md'), 'utf8')
const SCOPES = 'people:read,people:write,products:read,products:write,tasks:read,tasks:write,webhooks:manage'
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** What the page has one do with a SQLite file, as it stands there. */
function commandsOf(heading: string): string {
  const sqlite = PAGE.split(/^## /m).find((section) => section.startsWith('SQLite\n'))
  const part = sqlite?.split(/^### /m).find((each) => each.startsWith(`${heading}\n`))
  const commands = /^```sh\n(.*?)^```$/ms.exec(part ?? '')?.[1]
  if (commands === undefined) throw new Error(`The page has no commands under SQLite, ${heading}.`)
  return commands
}

/** A service of its own with a workspace, an app, and the folders that the page speaks of. */
async function installation() {
  const receiver = await startWebhookReceiver()
  const [data, backups, port] = [await temporaryFolder(), await temporaryFolder(), String(await freePort())]
  const env = {
    DATABASE_URL: `sqlite:${join(data, 'crm.db')}`,
    DATA_DIR: data,
    PORT: port,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: receiver.ca,
    RATE_LIMIT_POST: '0',
  }
  const { json } = await createCli(env)
  await json(...ACME, ...PASSWORD)
  const app = [
    '--name',
    'Sync',
    '--email',
    'dev@acme.example',
    '--redirect-uri',
    'https://app.example/cb',
    '--scopes',
    SCOPES,
  ]
  const { client_id } = await json('app', 'create', ...app)
  const member = ['--workspace', 'acme', '--user', 'olga@acme.example', '--client', String(client_id)]
  const { access_token } = await json('token', 'create', ...member)

  async function send(method: string, path: string, body?: object) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return {
      status: answer.status,
      body: (await answer.json()) as { readonly data: Readonly<Record<string, unknown>> },
    }
  }

  return {
    data,
    backups,
    receiver,
    start: () => startService(env),
    send,
    async make(path: string, body: object) {
      const made = await send('POST', path, body)
      if (made.status !== 201) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)}`)
      return made.body.data
    },
    async run(commands: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
      const shell = { PATH: process.env['PATH'], ...env, DATA: data, BACKUPS: backups, ...more }
      return (await promisify(execFile)('sh', ['-euc', commands], { cwd: ROOT, env: shell })).stdout
    },
    doctor: () => json('doctor'),
  }
}

test('a file that is lost comes back as the page says, with all that was in it and the secrets it was sealed with', {
  timeout: 90_000,
}, async () => {
  const { data, backups, receiver, start, send, make, run, doctor } = await installation()
  const first = await start()
  const subscribed = { url: receiver.url('/heard'), events: ['task.created'], auth_enable: true }
  const { webhook_secret } = await make('/v1/webhooks', subscribed)
  const signedBy = ({ body }: ReceivedDelivery) =>
    `sha256=${createHmac('sha256', String(webhook_secret)).update(body).digest('hex')}`
  await make('/v1/people', { full_name: 'Júlia Prado', emails: [{ email: 'julia@prado.example' }] })
  const { image_url } = await make('/v1/products', { name: 'Roof', currency: 'USD', image: PIXEL })
  const { id: kept } = await make('/v1/tasks', { title: 'Kept' })
  const lasting = ['/v1/people?search=jul', '/v1/products', '/v1/webhooks', `/v1/tasks/${kept}`]
  const asked = () => Promise.all(lasting.map((path) => send('GET', path)))
  const before = await asked()
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200])

  const copying = run(commandsOf('Back up'))
  let isCopied = false
  const copied = copying.finally(() => {
    isCopied = true
  })
  while (!isCopied) await make('/v1/tasks', { title: 'Meanwhile' })
  await copied
  const [copy = '', ...more] = readdirSync(backups).filter((name) => name.endsWith('.db'))
  expect(more).toEqual([])
  const { id: lost } = await make('/v1/tasks', { title: 'Lost' })
  await first.kill()
  expect(existsSync(join(data, 'crm.db-wal'))).toBe(true)

  writeFileSync(join(data, 'crm.db'), 'nothing of what was here')
  rmSync(join(data, 'secret.key'))
  await expect(doctor()).rejects.toThrow('doctor: 1')
  expect(await run(commandsOf('Restore'), { BACKUP: join(backups, copy) })).toMatch(
    /^ok +integrity +the file is sound$/m,
  )

  const second = await start()
  expect(await asked()).toEqual(before)
  expect((await send('GET', `/v1/tasks/${lost}`)).status).toBe(404)
  const picture = new URL(String(image_url)).pathname
  expect((await fetch(second.address + picture)).status).toBe(200)
  const { id: next } = await make('/v1/tasks', { title: 'Next' })
  const isOf = (id: unknown) => (told: ReceivedDelivery) =>
    (told.envelope['task'] as { readonly id: string }).id === id
  const told = await receiver.waitUntil((all) => all.some(isOf(next)))
  for (const id of [kept, next]) {
    const found = told.find(isOf(id))!
    expect(found.signature).toBe(signedBy(found))
  }
  expect(await doctor()).toMatchObject({ ok: true })
  expect(await second.stop()).toEqual([0, null])
})
