import { type ChildProcess, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/process/open-store.ts'
import { loadSettings } from '../../src/process/settings.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

async function folderAndPort() {
  const folder = await mkdtemp(join(tmpdir(), 'crm-main-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const portHolder = createServer().listen(0, '127.0.0.1')
  await once(portHolder, 'listening')
  const { port } = portHolder.address() as AddressInfo
  onTestFinished(() => void portHolder.close())
  return {
    folder,
    port,
    portHolder,
    env: { PORT: String(port), DATABASE_URL: `sqlite:${join(folder, 'crm.db')}`, DATA_DIR: folder },
  }
}

function run(env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const JSON_BODY = { 'Content-Type': 'application/json' }

/** Starts a mail server that can be closed and reopened on the same port. */
async function startMailServer() {
  const received = Promise.withResolvers<{ readonly to: readonly string[]; readonly source: string }>()
  const listen = async (port: number) => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, { envelope }, done) {
        void text(stream).then((source) => {
          received.resolve({ to: envelope.rcptTo.map(({ address }) => address), source })
          done()
        })
      },
    })
    const listener = server.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    return { server, port: (listener.address() as AddressInfo).port }
  }
  let { server, port } = await listen(0)
  const close = () => new Promise<void>((closed) => server.close(() => closed()))
  onTestFinished(close)
  return {
    port,
    received: received.promise,
    close,
    async open() {
      ;({ server } = await listen(port))
    },
  }
}

/** Resolves with the first line of the log. */
/** The first message that is not about a migration. */
async function firstLogLine(child: ChildProcess): Promise<string> {
  for await (const [line] of on(createInterface(child.stdout!), 'line')) {
    const { msg } = JSON.parse(line) as { msg: string }
    if (!msg.startsWith('Creating the tables ')) return msg
  }
  throw new Error('The log has ended.')
}

test('starts, serves, keeps acknowledged writes after SIGKILL, and stops on SIGTERM', async () => {
  const { env, port, portHolder } = await folderAndPort()
  portHolder.close()
  const token = await tokenFor(env)
  const address = `http://127.0.0.1:${port}`
  const send = (method: string, body?: string) =>
    fetch(`${address}/v1/tasks`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body }),
    })

  const first = run(env)
  expect(await firstLogLine(first)).toBe(`Listening on ${address}`)
  expect((await send('POST', '{"title":"Call"}')).status).toBe(201)
  first.kill('SIGKILL')
  await once(first, 'exit')

  const second = run(env)
  await firstLogLine(second)
  expect(await (await send('GET')).json()).toMatchObject({ data: [{ title: 'Call' }], meta: { total: 1 } })
  second.kill('SIGTERM')
  expect(await once(second, 'exit')).toEqual([0, null])
})

test('sends queued mail after SIGKILL, once the mail server is reachable', async () => {
  const { env, port, portHolder } = await folderAndPort()
  portHolder.close()
  const inbox = await startMailServer()
  const mail = { SMTP_URL: `smtp://127.0.0.1:${inbox.port}`, MAIL_FROM: 'crm@acme.example' }
  await inbox.close()

  const first = run({ ...env, ...mail })
  await firstLogLine(first)
  const body = {
    name: 'Radar',
    email: 'dev@radar.example',
    redirect_uris: ['https://radar.example/cb'],
    scopes: ['people:read'],
  }
  const registration = await fetch(`http://127.0.0.1:${port}/v1/auth/register-app`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: JSON_BODY,
  })
  expect(registration.status).toBe(201)
  first.kill('SIGKILL')
  await once(first, 'exit')

  await inbox.open()
  const second = run({ ...env, ...mail })
  const { to, source } = await inbox.received
  expect(to).toEqual(['dev@radar.example'])
  const link =
    /https?:\/\/\S+\/credentials\/crm_ln_[0-9a-f]{96}/.exec(source.replaceAll('=\r\n', ''))?.[0] ?? ''
  expect((await fetch(link)).status).toBe(200)
  second.kill('SIGTERM')
  expect(await once(second, 'exit')).toEqual([0, null])
})

test('WORKER=false fails at the start with SQLite', async () => {
  const { env } = await folderAndPort()
  const child = run({ ...env, WORKER: 'false' })
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^WORKER .+\n$/)])
})

test('a second signal ends the process at once', async () => {
  const { env, portHolder, port } = await folderAndPort()
  portHolder.close()
  const child = run(env)
  let output = ''
  child.stdout!.on('data', (bytes) => {
    output += bytes
  })
  const waitForOutput = (expected: string) =>
    expect.poll(() => output, { timeout: 20_000 }).toContain(expected)
  await waitForOutput('Listening')
  await waitForOutput(`Open http://127.0.0.1:${port}/setup/crm_ln_`)
  const openSocket = connect(port, '127.0.0.1')
  onTestFinished(() => void openSocket.destroy())
  openSocket.on('error', () => {})
  openSocket.write('POST /v1/tasks HTTP/1.1\r\nHost: crm.example\r\nContent-Length: 9\r\n\r\n')
  await once(openSocket, 'connect')
  child.kill('SIGTERM')
  await waitForOutput('Stopping')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})

test('the first workspace is made from this machine or by the link that the start writes, unless SETUP=false', async () => {
  const statuses = async (settings: Readonly<Record<string, string>>) => {
    const { env, portHolder, port } = await folderAndPort()
    portHolder.close()
    const child = run({ ...env, ...settings })
    let output = ''
    child.stdout!.on('data', (bytes) => {
      output += bytes
    })
    const waitForOutput = (expected: RegExp) =>
      expect.poll(() => output, { timeout: 20_000 }).toMatch(expected)
    await waitForOutput(settings['SETUP'] === 'false' ? /There is no workspace yet/ : /setup\/crm_ln_/)
    const base = `http://127.0.0.1:${port}`
    const [link = `${base}/setup/crm_ln_0`] = /http:\S+\/setup\/\S+/.exec(output) ?? []
    const statusOf = async (url: string, headers: Readonly<Record<string, string>> = {}) =>
      (await fetch(url, { headers: { Accept: 'text/html', ...headers }, redirect: 'manual' })).status
    const forwarded = { 'X-Forwarded-For': '203.0.113.7' }
    const result = [
      await statusOf(`${base}/setup`),
      await statusOf(`${base}/setup`, forwarded),
      await statusOf(link, forwarded),
    ]
    child.kill('SIGKILL')
    await once(child, 'exit')
    return result
  }
  expect(await statuses({})).toEqual([200, 403, 200])
  expect(await statuses({ SETUP: 'false' })).toEqual([404, 404, 404])
})

test('a used port fails with one line of advice', async () => {
  const { env, port } = await folderAndPort()
  const child = run(env)
  const stderr = await text(child.stderr!)
  expect(stderr).toBe(
    `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or set PORT to another port.\n`,
  )
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1)
})

test('an invalid setting fails with one line that names it', async () => {
  const { env } = await folderAndPort()
  const child = run({ ...env, TRUST_PROXY: 'yes' })
  expect(await text(child.stderr!)).toMatch(/^TRUST_PROXY .*\n$/)
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1)
})

async function tokenFor(env: Readonly<Record<string, string>>): Promise<string> {
  const store = await openStore(loadSettings(env), { isServer: false })
  const { operator } = store.crm
  await operator.createWorkspace({
    name: 'Acme',
    slug: 'acme',
    owner_name: 'Olga',
    owner_email: 'olga@acme.example',
  })
  const { client_id } = await operator.createApp({
    name: 'App',
    email: 'a@b.example',
    redirect_uris: ['https://a.example'],
    scopes: ['tasks:read', 'tasks:write'],
  })
  const { access_token } = await operator.createToken({
    workspace: 'acme',
    client_id,
    user_email: 'olga@acme.example',
  })
  await store.close()
  return access_token
}
