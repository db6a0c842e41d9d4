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

/** Returns the commands of a section of the page about SQLite, unchanged. */
function commandsOf(heading: string): string {
  const sqlite = PAGE.split(/^## /m).find((section) => section.startsWith('SQLite\n'))
  const part = sqlite?.split(/^### /m).find((subsection) => subsection.startsWith(`${heading}\n`))
  const commands = /^```sh\n(.*?)^```$/ms.exec(part ?? '')?.[1]
  if (commands === undefined) throw new Error(`The page has no commands under SQLite, ${heading}.`)
  return commands
}

/** Creates an environment with a workspace, an app, and the folders the page names. */
async function createInstallation() {
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
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      body: (await response.json()) as { readonly data: Readonly<Record<string, unknown>> },
    }
  }

  return {
    data,
    backups,
    receiver,
    start: () => startService(env),
    send,
    async createRecord(path: string, body: object) {
      const created = await send('POST', path, body)
      if (created.status !== 201)
        throw new Error(`${path}: ${created.status} ${JSON.stringify(created.body)}`)
      return created.body.data
    },
    async run(commands: string, extraEnv: Readonly<Record<string, string>> = {}): Promise<string> {
      const shellEnv = { PATH: process.env['PATH'], ...env, DATA: data, BACKUPS: backups, ...extraEnv }
      return (await promisify(execFile)('sh', ['-euc', commands], { cwd: ROOT, env: shellEnv })).stdout
    },
    doctor: () => json('doctor'),
  }
}

test('a lost file is restored by the documented commands, with its records and the secrets sealed in it', {
  timeout: 90_000,
}, async () => {
  const { data, backups, receiver, start, send, createRecord, run, doctor } = await createInstallation()
  const first = await start()
  const webhook = { url: receiver.url('/hook'), events: ['task.created'], auth_enable: true }
  const { webhook_secret } = await createRecord('/v1/webhooks', webhook)
  const signatureOf = ({ body }: ReceivedDelivery) =>
    `sha256=${createHmac('sha256', String(webhook_secret)).update(body).digest('hex')}`
  await createRecord('/v1/people', { full_name: 'Júlia Prado', emails: [{ email: 'julia@prado.example' }] })
  const { image_url } = await createRecord('/v1/products', { name: 'Roof', currency: 'USD', image: PIXEL })
  const { id: earlierTask } = await createRecord('/v1/tasks', { title: 'Kept' })
  const paths = ['/v1/people?search=jul', '/v1/products', '/v1/webhooks', `/v1/tasks/${earlierTask}`]
  const readAll = () => Promise.all(paths.map((path) => send('GET', path)))
  const before = await readAll()
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200])

  const backup = run(commandsOf('Back up'))
  let isDone = false
  const finished = backup.finally(() => {
    isDone = true
  })
  while (!isDone) await createRecord('/v1/tasks', { title: 'Meanwhile' })
  await finished
  const [file = '', ...otherFiles] = readdirSync(backups).filter((name) => name.endsWith('.db'))
  expect(otherFiles).toEqual([])
  const { id: laterTask } = await createRecord('/v1/tasks', { title: 'Lost' })
  await first.kill()
  expect(existsSync(join(data, 'crm.db-wal'))).toBe(true)

  writeFileSync(join(data, 'crm.db'), 'nothing of what was here')
  rmSync(join(data, 'secret.key'))
  await expect(doctor()).rejects.toThrow('doctor: 1')
  expect(await run(commandsOf('Restore'), { BACKUP: join(backups, file) })).toMatch(
    /^ok +integrity +the file is sound$/m,
  )

  const second = await start()
  expect(await readAll()).toEqual(before)
  expect((await send('GET', `/v1/tasks/${laterTask}`)).status).toBe(404)
  const imagePath = new URL(String(image_url)).pathname
  expect((await fetch(second.address + imagePath)).status).toBe(200)
  const { id: newTask } = await createRecord('/v1/tasks', { title: 'Next' })
  const isOf = (id: unknown) => (delivery: ReceivedDelivery) =>
    (delivery.envelope['task'] as { readonly id: string }).id === id
  const deliveries = await receiver.waitUntil((all) => all.some(isOf(newTask)))
  for (const id of [earlierTask, newTask]) {
    const delivery = deliveries.find(isOf(id))!
    expect(delivery.signature).toBe(signatureOf(delivery))
  }
  expect(await doctor()).toMatchObject({ ok: true })
  expect(await second.stop()).toEqual([0, null])
})
