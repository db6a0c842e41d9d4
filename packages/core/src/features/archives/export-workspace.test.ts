import { expect, test } from 'vitest'
import { MemoryArchive } from '../../../test/archive.ts'
import { catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'
import { insertWebhook } from '../../../test/webhooks.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'

const ACME = { workspace: 'acme' }

async function withArchive() {
  const base = await createTestCrm()
  const archive = new MemoryArchive()
  return {
    ...base,
    archive,
    run: () => base.crm.operator.exportWorkspace(ACME, { writer: archive, schema: 28 }),
  }
}

test('an archive has the deleted records that others refer to, through other deleted ones too', async () => {
  const { crm, owner, archive, run } = await withArchive()
  const [kept, gone] = [
    await crm.companies.create(owner, { full_name: 'Kept' }),
    await crm.companies.create(owner, { full_name: 'Gone' }),
  ]
  const person = await crm.people.create(owner, { full_name: 'Pia', company_id: kept.id })
  const task = await crm.tasks.create(owner, { title: 'Call', person_id: person.id })
  await crm.people.remove(owner, person.id)
  for (const { id } of [kept, gone]) await crm.companies.remove(owner, id)
  const { records, workspace } = await run()
  expect(workspace).toEqual({ id: owner.workspaceId, slug: 'acme', name: 'Acme' })
  expect(records).toMatchObject({ workspaces: 1, users: 4, members: 4, companies: 1, people: 1, tasks: 1 })
  expect(archive.records('companies')).toMatchObject([{ id: kept.id, deleted_at: NOON }])
  expect(archive.records('people')).toMatchObject([{ id: person.id, deleted_at: NOON }])
  expect(archive.records('tasks')[0]).not.toHaveProperty('deleted_at')
  const order = archive.list.map(({ name }) => name.split('/')[0])
  expect(order.indexOf('companies')).toBeLessThan(order.indexOf('people'))
  expect(order.indexOf('people')).toBeLessThan(order.indexOf('tasks'))
  expect(order.at(-1)).toBe('manifest.json')
  expect(task.id).toBe(archive.records('tasks')[0]!['id'])
})

test('an archive has no secret, no password and no webhook of an app, and one of the console turned off', async () => {
  const { crm, ports, owner, archive, run } = await withArchive()
  const ofConsole = { client_id: CONSOLE_CLIENT_ID, creator_user_id: owner.userId, sealed_secret: 'SEALED' }
  const { id } = await insertWebhook(ports, owner.workspaceId, ofConsole)
  await insertWebhook(ports, owner.workspaceId, { client_id: 'app', sealed_secret: 'SEALED' })
  await crm.operator.addMember({
    workspace: 'acme',
    name: 'Pat',
    email: 'pat@acme.example',
    role: 'member',
    password: 'a long secret',
  })
  await ports.storage.transact(async (tx) => {
    for (const { id } of await tx.workspace(owner.workspaceId).deliveries.find([]))
      await tx.workspace(owner.workspaceId).deliveries.hardDelete(id)
  })
  await run()
  expect(archive.records('webhooks')).toMatchObject([{ id, creator_user_id: null, sealed_secret: null }])
  expect(Object.keys(archive.records('users')[0]!)).toEqual([
    'id',
    'email',
    'name',
    'created_at',
    'updated_at',
  ])
  expect(JSON.stringify(archive.list)).not.toMatch(/SEALED|hash of/)
})

test('a workspace with pending deliveries is not exported', async () => {
  const { crm, ports, owner, archive, run } = await withArchive()
  await insertWebhook(ports, owner.workspaceId)
  await crm.tags.create(owner, { name: 'VIP' })
  expect(await catchRejection(run())).toEqual({
    code: 'conflict',
    message:
      'Deliveries to webhooks are pending (1). Let the service run until they are sent, or delete their webhooks, and export again.',
  })
  expect(archive.list).toEqual([])
})

test('a workspace whose records are being changed in the background is not exported', async () => {
  const { crm, owner, archive, run } = await withArchive()
  await crm.tasks.create(owner, { title: 'Call', due_date: NOON })
  await crm.workspace.update(owner, { time_zone: 'America/Sao_Paulo' })
  expect((await catchRejection(run())).message).toMatch(/^Records are being changed in the background, /)
  expect(archive.list).toEqual([])
})
