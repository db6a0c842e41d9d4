import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Actor, Crm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import { expect, onTestFinished, test } from 'vitest'
import { drawPng } from '../../src/demo/png-image.ts'
import { prepareDemo } from '../../src/demo/prepare-demo.ts'
import { welcomeText } from '../../src/demo/welcome.ts'
import { openStore } from '../../src/process/open-store.ts'
import { loadSettings } from '../../src/process/settings.ts'

const MAIN = join(import.meta.dirname, '../../src/demo.ts')
const TOOL = join(import.meta.dirname, '../../src/cli/main.ts')

async function createFolder(): Promise<string> {
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

/** Returns the lines the demo prints up to its last. */
async function linesOf(child: ReturnType<typeof startDemo>): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('Ctrl+C')) break
  }
  return lines
}

function startDemo(cwd: string, env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [MAIN], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Returns the URL and the body of a printed curl command. */
function curlIn(
  lines: readonly string[],
  command: RegExp,
): { readonly url: string; readonly body: string | undefined } {
  const line = lines.find((text) => command.test(text)) ?? ''
  expect(line).toContain('-H "Authorization: Bearer $TOKEN"')
  return { url: /https?:[^\s']+/.exec(line)?.[0] ?? '', body: /-d '(.+)'$/.exec(line)?.[1] }
}

test('starts the service and prints commands that work', async () => {
  const [cwd, port] = [await createFolder(), await freePort()]
  const env = { PORT: String(port), DATABASE_URL: 'sqlite:my data/crm.db', DATA_DIR: 'keys' }
  const demo = startDemo(cwd, env)
  onTestFinished(() => void demo.kill('SIGKILL'))
  const lines = await linesOf(demo)
  expect(lines.join('\n')).not.toContain('\x1b')

  const [token, ...otherTokens] = lines.flatMap((line) => /eyJ[\w.-]+/g.exec(line) ?? [])
  expect([lines.includes(`TOKEN=${token}`), otherTokens]).toEqual([true, []])
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }

  const listResponse = await fetch(curlIn(lines, /^curl '/).url, { headers })
  const { data } = (await listResponse.json()) as {
    data: { id: string; due_date: string; completed: boolean }[]
  }
  expect(data.map(({ completed }) => completed)).toEqual([false, false, false])
  expect(data.map(({ due_date }) => due_date)).toEqual(data.map(({ due_date }) => due_date).toSorted())

  const searchResponse = await fetch(curlIn(lines, /people\?search/).url, { headers })
  const { data: people } = (await searchResponse.json()) as { data: { full_name: string }[] }
  expect(people.length).toBeGreaterThan(0)
  for (const { full_name } of people) expect(full_name).toMatch(/^João /)

  const createCommand = curlIn(lines, /^curl http/)
  const createResponse = await fetch(createCommand.url, {
    method: 'POST',
    headers,
    body: createCommand.body!,
  })
  expect(await createResponse.json()).toMatchObject({
    data: { type: { key: 'email' }, owner: { name: 'Ana Lima' } },
  })

  const completeCommand = curlIn(lines, /^curl -X PATCH/)
  const completeResponse = await fetch(completeCommand.url, {
    method: 'PATCH',
    headers,
    body: completeCommand.body!,
  })
  expect(await completeResponse.json()).toMatchObject({ data: { id: data[0]?.id, completed: true } })

  const tool = lines
    .find((line) => line.includes('npm run crm --'))
    ?.replace('npm run crm --', `"${process.execPath}" "${TOOL}"`)
  // Not in sync: a connection that the service closes meanwhile must not be used again.
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${tool} --json`], { cwd, env: {} })
  const newToken = JSON.parse(stdout) as { access_token: string }
  const newTokenResponse = await fetch(createCommand.url, {
    headers: { Authorization: `Bearer ${newToken.access_token}` },
  })
  expect(newTokenResponse.status).toBe(200)

  const [address, email, password] = ['Console', 'E-mail', 'Password'].map(
    (name) =>
      lines
        .find((line) => line.startsWith(name))
        ?.split(/ {1,2}/)
        .at(-1) ?? '',
  )
  expect(lines).toContain(`Open ${address} and enter as Ana Lima`)
  const signInPage = await fetch(address ?? '')
  const html = await signInPage.text()
  expect(html).toContain('Enter the demo as <bdi>Ana Lima</bdi>')
  const csrf = /name="csrf" value="(\w+)"/.exec(html)?.[1] ?? ''
  const [cookie = ''] = signInPage.headers.getSetCookie().map((setCookie) => setCookie.split(';')[0])
  const form = new URLSearchParams({ csrf, email: email ?? '', password: password ?? '' })
  const signInResponse = await fetch(signInPage.url, {
    method: 'POST',
    body: form,
    headers: { Cookie: cookie ?? '' },
    redirect: 'manual',
  })
  expect([signInResponse.status, signInResponse.headers.get('Location')]).toEqual([303, '/'])

  demo.kill('SIGTERM')
  expect(await once(demo, 'exit')).toEqual([0, null])
})

test('keeps the demo workspace, and creates a new token in each run', async () => {
  const path = await createFolder()
  const settings = loadSettings({ DATABASE_URL: `sqlite:${path}/crm.db`, DATA_DIR: path })
  const first = await prepareDemo(settings)
  const second = await prepareDemo(settings)
  const { token, dueBefore, ...unchanged } = first
  expect(second).toMatchObject(unchanged)
  expect(second.token).not.toBe(token)
  expect(Date.parse(second.dueBefore)).toBeGreaterThanOrEqual(Date.parse(dueBefore))

  const { crm, close } = await openStore(settings, { isServer: false })
  const ana = await crm.operator.actorFor({ workspace: 'demo', email: 'ana@demo.example' })
  expect((await crm.people.list(ana)).meta.total).toBe(60)
  expect((await crm.companies.list(ana)).meta.total).toBe(30)
  expect((await crm.members.list(ana)).meta.total).toBe(4)
  expect((await crm.pipelines.list(ana)).meta.total).toBe(2)
  expect((await crm.tags.list(ana)).meta.total).toBe(8)
  expect((await crm.lists.list(ana)).meta.total).toBe(5)
  expect((await crm.customFields.list(ana)).meta.total).toBe(10)
  expect(await crm.workspace.get(ana)).toMatchObject({ locale: 'pt-BR', currency: 'BRL' })
  const products = await crm.products.list(ana)
  expect(products.data.filter(({ image_url }) => image_url !== null).map(({ code }) => code)).toEqual([
    'LIC-US-A',
    'SUP-BR-T',
    'LIC-BR-A',
  ])
  expect(await attachmentsIn(crm, ana)).toEqual(['ata.txt', 'minutes.txt', 'sketch.png'])
  await close()
})

test('refuses a database that is being served or has other workspaces', async () => {
  const path = await createFolder()
  const settings = loadSettings({ DATABASE_URL: `sqlite:${path}/crm.db`, DATA_DIR: path })
  const server = await openStore(settings, { isServer: true })
  await expect(prepareDemo(settings)).rejects.toThrow(/^Another process serves /)
  const owner = {
    owner_name: 'Olga',
    owner_email: 'olga@acme.example',
    owner_password: 'correct horse battery',
  }
  await server.crm.operator.createWorkspace({ name: 'Acme', slug: 'acme', ...owner })
  await server.close()
  await expect(prepareDemo(settings)).rejects.toThrow(
    /^This database has workspaces of its own \(acme\), .* Set DATABASE_URL to another /,
  )
  const store = await openStore(settings, { isServer: false })
  expect(
    await store.storage.read((tx) => tx.users.find([{ field: 'email', is: 'ana@demo.example' }])),
  ).toEqual([])
  await store.close()
})

/** Returns the names of all files attached to activities of deals. */
async function attachmentsIn(crm: Crm, actor: Actor): Promise<string[]> {
  const deals = await crm.deals.list(actor, { per_page: 100 })
  const lists = await Promise.all(
    deals.data.map(({ id }) => crm.activities.list(actor, { entity: 'deals', id })),
  )
  const withAttachments = lists
    .flatMap(({ data }) => data)
    .filter(({ attachments_count }) => attachments_count > 0)
  const details = await Promise.all(withAttachments.map(({ id }) => crm.activities.get(actor, id)))
  return details.flatMap(({ attachments }) => attachments.map(({ filename }) => filename)).toSorted()
}

test('drawPng returns a PNG that the service accepts', async () => {
  const image = await nodePorts().files.decodeImage(drawPng([255, 255, 255], [37, 99, 235]))
  expect(image).toMatchObject({ content_type: 'image/png' })
})

const DEMO = {
  baseUrl: 'http://127.0.0.1:3000',
  workspace: 'demo',
  clientId: 'c',
  token: 't.o.k',
  dueBefore: '2026-03-08T12:00:00.000Z',
  taskId: 'id-1',
}
const PLAIN = { colour: false, environment: {} }

test('prints colours only if they are enabled', () => {
  expect(welcomeText(DEMO, PLAIN)).not.toContain('\x1b')
  expect(welcomeText(DEMO, { ...PLAIN, colour: true })).toContain('\x1b[1m')
})

test('prints the URL of the API reference', () => {
  expect(welcomeText(DEMO, PLAIN).split('\n')).toContain('API      http://127.0.0.1:3000/docs')
})

test('offers to complete a task only if one is open', () => {
  expect(welcomeText(DEMO, PLAIN)).toContain('curl -X PATCH http://127.0.0.1:3000/v1/tasks/id-1 ')
  expect(welcomeText({ ...DEMO, taskId: undefined }, PLAIN)).not.toContain('PATCH')
})

test("prints the tool's command with the settings of the demo, and only the names of secrets", () => {
  const lines = (environment: Readonly<Record<string, string>>) =>
    welcomeText(DEMO, { ...PLAIN, environment }).split('\n')
  expect(lines({ HOME: '/root', PORT: '' })).toContain(
    'npm run crm -- token create --workspace demo --client c --user ana@demo.example',
  )
  expect(lines({ PORT: '4000', DATA_DIR: "it's here" }).find((line) => line.includes('npm run crm'))).toMatch(
    /^PORT=4000 DATA_DIR='it'\\''s here' npm run crm -- /,
  )
  const withSecrets = lines({ DATABASE_URL: 'postgres://crm:canary@db/crm', SECRET_KEY: 'canary' })
  expect(withSecrets).toContain('# Make another token, with DATABASE_URL and SECRET_KEY set as they are here')
  expect(withSecrets.join('\n')).not.toContain('canary')
})
