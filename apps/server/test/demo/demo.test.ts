import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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

function startDemo(cwd: string, env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [MAIN], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The address and the body of a printed curl. */
function callIn(
  lines: readonly string[],
  command: RegExp,
): { readonly url: string; readonly body: string | undefined } {
  const line = lines.find((each) => command.test(each)) ?? ''
  expect(line).toContain('-H "Authorization: Bearer $TOKEN"')
  return { url: /https?:[^\s']+/.exec(line)?.[0] ?? '', body: /-d '(.+)'$/.exec(line)?.[1] }
}

test('the demo starts the service and prints commands that work', async () => {
  const [cwd, port] = [await folder(), await freePort()]
  const place = { PORT: String(port), DATABASE_URL: 'sqlite:my data/crm.db', DATA_DIR: 'keys' }
  const demo = startDemo(cwd, place)
  onTestFinished(() => void demo.kill('SIGKILL'))
  const lines = await linesOf(demo)
  expect(lines.join('\n')).not.toContain('\x1b')

  const [token, ...others] = lines.flatMap((line) => /eyJ[\w.-]+/g.exec(line) ?? [])
  expect([lines.includes(`TOKEN=${token}`), others]).toEqual([true, []])
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }

  const listed = await fetch(callIn(lines, /^curl '/).url, { headers })
  const { data } = (await listed.json()) as { data: { id: string; due_date: string; completed: boolean }[] }
  expect(data.map(({ completed }) => completed)).toEqual([false, false, false])
  expect(data.map(({ due_date }) => due_date)).toEqual(data.map(({ due_date }) => due_date).toSorted())

  const searched = await fetch(callIn(lines, /people\?search/).url, { headers })
  const { data: people } = (await searched.json()) as { data: { full_name: string }[] }
  expect(people.length).toBeGreaterThan(0)
  for (const { full_name } of people) expect(full_name).toMatch(/^João /)

  const creating = callIn(lines, /^curl http/)
  const created = await fetch(creating.url, { method: 'POST', headers, body: creating.body! })
  expect(await created.json()).toMatchObject({
    data: { type: { key: 'email' }, owner: { name: 'Ana Lima' } },
  })

  const completing = callIn(lines, /^curl -X PATCH/)
  const completed = await fetch(completing.url, { method: 'PATCH', headers, body: completing.body! })
  expect(await completed.json()).toMatchObject({ data: { id: data[0]?.id, completed: true } })

  const tool = lines
    .find((line) => line.includes('npm run crm --'))
    ?.replace('npm run crm --', `"${process.execPath}" "${TOOL}"`)
  const another = JSON.parse(
    execFileSync('/bin/sh', ['-c', `${tool} --json`], { cwd, encoding: 'utf8', env: {} }),
  ) as {
    access_token: string
  }
  const again = await fetch(creating.url, { headers: { Authorization: `Bearer ${another.access_token}` } })
  expect(again.status).toBe(200)

  const [page, email, password] = ['Sign in', 'E-mail', 'Password'].map(
    (name) =>
      lines
        .find((line) => line.startsWith(name))
        ?.split(/ {1,2}/)
        .at(-1) ?? '',
  )
  const visited = await fetch(page ?? '')
  const csrf = /name="csrf" value="(\w+)"/.exec(await visited.text())?.[1] ?? ''
  const [cookie = ''] = visited.headers.getSetCookie().map((each) => each.split(';')[0])
  const form = new URLSearchParams({ csrf, email: email ?? '', password: password ?? '' })
  const signedIn = await fetch(page ?? '', {
    method: 'POST',
    body: form,
    headers: { Cookie: cookie ?? '' },
    redirect: 'manual',
  })
  expect([signedIn.status, signedIn.headers.get('Location')]).toEqual([303, '/account'])

  demo.kill('SIGTERM')
  expect(await once(demo, 'exit')).toEqual([0, null])
})

test('the demo workspace is kept, and each run has a token of its own', async () => {
  const path = await folder()
  const settings = loadSettings({ DATABASE_URL: `sqlite:${path}/crm.db`, DATA_DIR: path })
  const first = await prepareDemo(settings)
  const second = await prepareDemo(settings)
  const { token, dueBefore, ...kept } = first
  expect(second).toMatchObject(kept)
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

test('the demo is made in no database that serves or has workspaces of its own', async () => {
  const path = await folder()
  const settings = loadSettings({ DATABASE_URL: `sqlite:${path}/crm.db`, DATA_DIR: path })
  const serving = await openStore(settings, { isServer: true })
  await expect(prepareDemo(settings)).rejects.toThrow(/^Another process serves /)
  const owner = {
    owner_name: 'Olga',
    owner_email: 'olga@acme.example',
    owner_password: 'correct horse battery',
  }
  await serving.crm.operator.createWorkspace({ name: 'Acme', slug: 'acme', ...owner })
  await serving.close()
  await expect(prepareDemo(settings)).rejects.toThrow(
    /^This database has workspaces of its own \(acme\), .* Set DATABASE_URL to another /,
  )
  const store = await openStore(settings, { isServer: false })
  expect(
    await store.storage.read((tx) => tx.users.find([{ field: 'email', is: 'ana@demo.example' }])),
  ).toEqual([])
  await store.close()
})

/** The names of the files attached to what happened to deals. */
async function attachmentsIn(crm: Crm, actor: Actor): Promise<string[]> {
  const deals = await crm.deals.list(actor, { per_page: 100 })
  const lists = await Promise.all(
    deals.data.map(({ id }) => crm.activities.list(actor, { entity: 'deals', id })),
  )
  const holders = lists.flatMap(({ data }) => data).filter(({ attachments_count }) => attachments_count > 0)
  const details = await Promise.all(holders.map(({ id }) => crm.activities.get(actor, id)))
  return details.flatMap(({ attachments }) => attachments.map(({ filename }) => filename)).toSorted()
}

test('a picture is a PNG that the service takes', async () => {
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

test('colours are left out where they are not wanted', () => {
  expect(welcomeText(DEMO, PLAIN)).not.toContain('\x1b')
  expect(welcomeText(DEMO, { ...PLAIN, colour: true })).toContain('\x1b[1m')
})

test('the API reference is told, on a line of its own', () => {
  expect(welcomeText(DEMO, PLAIN).split('\n')).toContain('API      http://127.0.0.1:3000/docs')
})

test('without an open task no task is offered to complete', () => {
  expect(welcomeText(DEMO, PLAIN)).toContain('curl -X PATCH http://127.0.0.1:3000/v1/tasks/id-1 ')
  expect(welcomeText({ ...DEMO, taskId: undefined }, PLAIN)).not.toContain('PATCH')
})

test('the tool is told where the demo is, and secrets are named and not shown', () => {
  const lines = (environment: Readonly<Record<string, string>>) =>
    welcomeText(DEMO, { ...PLAIN, environment }).split('\n')
  expect(lines({ HOME: '/root', PORT: '' })).toContain(
    'npm run crm -- token create --workspace demo --client c --user ana@demo.example',
  )
  expect(lines({ PORT: '4000', DATA_DIR: "it's here" }).find((line) => line.includes('npm run crm'))).toMatch(
    /^PORT=4000 DATA_DIR='it'\\''s here' npm run crm -- /,
  )
  const secret = lines({ DATABASE_URL: 'postgres://crm:canary@db/crm', SECRET_KEY: 'canary' })
  expect(secret).toContain('# Make another token, with DATABASE_URL and SECRET_KEY set as they are here')
  expect(secret.join('\n')).not.toContain('canary')
})
