import { expect, test } from 'vitest'
import { MemoryArchive } from '../../../test/archive.ts'
import { catchRejection, createTestCrm } from '../../../test/harness.ts'
import { insertWebhook } from '../../../test/webhooks.ts'
import { sealLink } from './archive-link-token.ts'
import type { ArchiveEntry } from './archive-ports.ts'

const PREFIX = 'https://crm.example/archives/'
const NOT_FOUND = { code: 'not_found', message: 'Archive not found.' }

async function listEntries(entries: AsyncIterable<ArchiveEntry>): Promise<readonly ArchiveEntry[]> {
  const list: ArchiveEntry[] = []
  for await (const entry of entries) list.push(entry)
  return list
}

async function withLink() {
  const base = await createTestCrm()
  const { url, expires_at } = await base.crm.workspace.createArchiveLink(base.owner)
  return { ...base, url, expires_at, token: url.slice(PREFIX.length) }
}

test('a link is valid for a day, and its archive is the one of the operator', async () => {
  const { crm, clock, owner, url, expires_at, token } = await withLink()
  await crm.companies.create(owner, { full_name: 'Prado' })
  expect([url, expires_at]).toEqual([`${PREFIX}${token}`, '2026-03-02T12:00:00.000Z'])
  expect(token).toMatch(/^crm_al_[0-9a-f]+$/)
  const expected = new MemoryArchive()
  await crm.operator.exportWorkspace({ workspace: 'acme' }, { writer: expected, schema: 0 })
  clock.set('2026-03-02T11:59:59.999Z')
  const { slug, entries } = await crm.workspace.openArchive(token)
  expect(slug).toBe('acme')
  expect(await listEntries(entries())).toEqual(expected.list)
  clock.set('2026-03-02T12:00:00.000Z')
  expect(await catchRejection(crm.workspace.openArchive(token))).toEqual(NOT_FOUND)
})

test('a link requires the role of owner, workspace:manage and each scope to read', async () => {
  const { crm, owner, admin, ann } = await createTestCrm()
  const forbidden = {
    code: 'forbidden',
    message: 'You do not have permission to create this archive.',
  }
  for (const actor of [admin, ann, { ...admin, role: 'owner' as const }])
    expect(await catchRejection(crm.workspace.createArchiveLink(actor))).toEqual(forbidden)
  const required = [
    'workspace:manage',
    ...['people', 'companies', 'deals', 'tasks', 'activities', 'products', 'tags', 'lists'],
    ...['custom_fields', 'views', 'members', 'webhooks', 'imports'],
  ].map((name) => (name.includes(':') ? name : `${name}:read`))
  for (const missing of required) {
    const scopes = new Set(required.filter((scope) => scope !== missing))
    expect(await catchRejection(crm.workspace.createArchiveLink({ ...owner, scopes }))).toEqual({
      code: 'insufficient_scope',
      message: `This endpoint requires the '${missing}' scope.`,
    })
  }
  const scopes = new Set(required)
  expect(await crm.workspace.createArchiveLink({ ...owner, scopes })).toHaveProperty('url')
})

test('a link of an owner who is none any more, of another workspace, or altered, has no archive', async () => {
  const { crm, ports, owner, otherOwner, token } = await withLink()
  const of = (workspaceId: string, userId: string) =>
    sealLink(ports, { workspaceId, userId, expiresAt: '2026-03-02T12:00:00.000Z' })
  const sealedForElse = Buffer.from(
    encodeURIComponent(ports.secrets.seal(Buffer.from(`${owner.workspaceId} ${owner.userId} 9`), 'mail 1')),
  ).toString('hex')
  for (const wrong of [
    ...['', 'x', 'crm_al_', 'crm_al_zz', 'crm_al_25', 'crm_al_7b', `${token}0`, token.toUpperCase()],
    ...[`crm_al_${sealedForElse}`, of(otherOwner.workspaceId, owner.userId), of(owner.workspaceId, 'x')],
  ])
    expect(await catchRejection(crm.workspace.openArchive(wrong))).toEqual(NOT_FOUND)

  await crm.operator.updateMember({ workspace: 'acme', email: 'ada@acme.example', role: 'owner' })
  const opened = await crm.workspace.openArchive(token)
  await crm.operator.updateMember({ workspace: 'acme', email: 'olga@acme.example', role: 'admin' })
  expect(await catchRejection(crm.workspace.openArchive(token))).toEqual(NOT_FOUND)
  expect(await catchRejection(opened.entries().next())).toEqual(NOT_FOUND)
})

test('pending deliveries refuse the link, and the archive of an earlier one', async () => {
  const { crm, ports, owner, token } = await withLink()
  await insertWebhook(ports, owner.workspaceId)
  await crm.tags.create(owner, { name: 'VIP' })
  const conflict = { code: 'conflict', message: expect.stringMatching(/^Deliveries to webhooks are pending/) }
  expect(await catchRejection(crm.workspace.createArchiveLink(owner))).toEqual(conflict)
  const { entries } = await crm.workspace.openArchive(token)
  expect(await catchRejection(entries().next())).toEqual(conflict)
})

test('a workspace has one export at a time, an archive or another', async () => {
  const { crm, owner, token } = await withLink()
  await crm.companies.create(owner, { full_name: 'Prado' })
  const { entries } = await crm.workspace.openArchive(token)
  const exporting = entries()
  await exporting.next()
  for (const second of [entries(), crm.companies.export(owner)])
    expect(await catchRejection(second.next())).toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(/^Another export of this workspace is being made\./),
    })
  await exporting.return()
  expect((await entries().next()).value).toMatchObject({ name: 'workspaces/000001.ndjson' })
})
