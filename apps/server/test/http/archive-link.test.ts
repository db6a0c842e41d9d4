import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { ArchiveFileReader, ArchiveFileWriter } from '@sales-crm/node'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace, type Service, type Workspace } from '../support/test-service.ts'

const DAY_MS = 86_400_000

/** Returns the path of a new link. */
async function createLink({ call }: Workspace): Promise<string> {
  const { json } = await call('POST', '/v1/workspace/archive-link')
  return new URL((json as { data: { url: string } }).data.url).pathname
}

/** Sends no token. */
async function open({ app }: Service, path: string, method = 'GET') {
  const response = await app.request(path, { method })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

async function refusalOf(service: Service, path: string) {
  const { status, bytes } = await open(service, path)
  return [status, errorOf({ json: JSON.parse(String(bytes)) })]
}

const NOT_FOUND = [404, { code: 'not_found', message: 'Archive not found.' }]

async function createFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-archive-link-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'archive.tar')
}

/** The file that the operator's tool writes. */
async function exportFile({ crm, ports }: Service, { slug }: Workspace): Promise<Buffer> {
  const file = await createFile()
  const writer = await ArchiveFileWriter.create(file)
  await crm.operator.exportWorkspace({ workspace: slug }, { writer, schema: schemaOf(ports.storage) })
  await writer.finish()
  return readFile(file)
}

function schemaOf({ schemaVersion = 0 }: Pick<Storage, 'schemaVersion'>): number {
  return schemaVersion
}

describeEachStore('the archive behind a link', (openStorage) => {
  test('is the file of the operator’s tool, and an empty service imports it', async () => {
    const service = await openService(await openStorage())
    const acme = await openWorkspace(service)
    const company = await acme.createRecord('/v1/companies', { full_name: 'Prado & Júlia' })
    const note = { content_html: 'Met', attachments: [{ filename: 'a.txt', content: 'SGk=' }] }
    await acme.createRecord('/v1/activities', { ...note, entity: 'companies', entity_id: company.id })
    const created = await acme.call('POST', '/v1/workspace/archive-link')
    expect([created.status, created.json]).toEqual([
      201,
      {
        data: {
          url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/archives\/crm_al_[0-9a-f]+$/),
          expires_at: '2026-03-02T12:00:00.000Z',
        },
      },
    ])
    const { status, headers, bytes } = await open(service, await createLink(acme))
    expect([status, Object.fromEntries(headers)]).toMatchObject([
      200,
      {
        'content-type': 'application/x-tar',
        'content-disposition': `attachment; filename="${acme.slug}.tar"`,
        'content-length': String(bytes.length),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    ])
    expect(bytes.equals(await exportFile(service, acme))).toBe(true)

    const file = await createFile()
    await writeFile(file, bytes)
    const empty = await openService(memoryStorage())
    const schema = schemaOf(service.ports.storage)
    await empty.crm.operator.importWorkspace({ reader: new ArchiveFileReader(file), schema })
    const owner = await empty.crm.operator.actorFor({ workspace: acme.slug, email: acme.owner.email })
    expect(await empty.crm.companies.get(owner, company.id)).toEqual(
      ((await acme.call('GET', `/v1/companies/${company.id}`)).json as { data: object }).data,
    )
  })

  test('is for owners, of their own workspace, as long as they are owners', async () => {
    const service = await openService(await openStorage())
    const acme = await openWorkspace(service)
    const rival = await openWorkspace(service, 'Rival')
    for (const role of ['member', 'admin'] as const) {
      const { token } = await acme.addMember(role, role)
      const denied = await acme.call('POST', '/v1/workspace/archive-link', undefined, { token })
      expect([denied.status, errorOf(denied)]).toEqual([
        403,
        { code: 'forbidden', message: 'You do not have permission to create this archive.' },
      ])
    }
    const [path, rivalPath] = [await createLink(acme), await createLink(rival)]
    expect((await open(service, rivalPath)).bytes.includes(acme.owner.email)).toBe(false)
    const email = `admin@${acme.slug}.example`
    await service.crm.operator.updateMember({ workspace: acme.slug, email, role: 'owner' })
    await service.crm.operator.updateMember({
      ...{ workspace: acme.slug, email: acme.owner.email, role: 'admin' },
    })
    expect(await refusalOf(service, path)).toEqual(NOT_FOUND)
  })

  test('is refused with its reason while deliveries are pending', async () => {
    const service = await openService(await openStorage())
    const acme = await openWorkspace(service)
    const path = await createLink(acme)
    await acme.createRecord('/v1/webhooks', { url: 'https://hooks.acme.example/', events: ['tag.created'] })
    await acme.createRecord('/v1/tags', { name: 'VIP' })
    const pending = [
      409,
      {
        code: 'conflict',
        message:
          'Deliveries to webhooks are pending (1). Let the service run until they are sent, or delete their webhooks, and export again.',
      },
    ]
    expect(await refusalOf(service, path)).toEqual(pending)
    const refused = await acme.call('POST', '/v1/workspace/archive-link')
    expect([refused.status, errorOf(refused)]).toEqual(pending)
  })
})

test('a link needs each scope to read: workspace:manage alone does not read everything', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const send = async (scopes: readonly string[]) => {
    const token = await acme.tokenFor(acme.owner.email, scopes)
    return acme.call('POST', '/v1/workspace/archive-link', undefined, { token })
  }
  const reads = SCOPES.filter((scope) => scope.endsWith(':read'))
  for (const missing of reads) {
    const response = await send(['workspace:manage', ...reads].filter((scope) => scope !== missing))
    expect([response.status, errorOf(response), response.headers.get('WWW-Authenticate')]).toEqual([
      403,
      { code: 'insufficient_scope', message: `This endpoint requires the '${missing}' scope.` },
      `Bearer error="insufficient_scope", scope="${missing}"`,
    ])
  }
  expect((await send(['workspace:manage', ...reads])).status).toBe(201)
})

test('a link that is altered or expired has no archive, and one with a parameter is invalid', async () => {
  const service = await openService(memoryStorage())
  const path = await createLink(await openWorkspace(service))
  expect(await refusalOf(service, `${path}?download=1`)).toEqual([
    422,
    {
      code: 'validation_error',
      message: 'Validation failed.',
      fields: { download: 'Unknown parameter.' },
    },
  ])
  for (let index = '/archives/'.length; index < path.length; index += 7) {
    const altered = `${path.slice(0, index)}${path[index] === '0' ? '1' : '0'}${path.slice(index + 1)}`
    expect(await refusalOf(service, altered)).toEqual(NOT_FOUND)
  }
  service.advanceClock(DAY_MS - 1)
  expect((await open(service, path)).status).toBe(200)
  service.advanceClock(1)
  expect(await refusalOf(service, path)).toEqual(NOT_FOUND)
})

test('a link has the mount path', async () => {
  const service = await openService(memoryStorage(), { issuer: 'https://shop.example/crm' })
  const path = await createLink(await openWorkspace(service))
  expect(path).toMatch(/^\/crm\/archives\/crm_al_/)
  expect((await open(service, path)).status).toBe(200)
})

test('a HEAD of a link reads no record, and the log has no link', async () => {
  const memory = memoryStorage()
  const workloads: unknown[] = []
  const read: Storage['read'] = (work, options) => {
    workloads.push(options?.workload)
    return memory.read(work, options)
  }
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  const service = await openService({ ...memory, read }, { log })
  const path = await createLink(await openWorkspace(service))
  const { status, headers } = await open(service, path, 'HEAD')
  expect([status, headers.get('Content-Type'), headers.get('Content-Length')]).toEqual([
    ...[200, 'application/x-tar', null],
  ])
  expect(workloads).not.toContain('report')
  await open(service, path)
  expect(workloads).toContain('report')
  await open(service, `${path}0`)
  expect(lines.join('')).toContain('"route":"/archives/:token"')
  expect(lines.join('')).not.toMatch(/crm_al_|[0-9a-f]{64}/)
})
