import { expect, test } from 'vitest'
import { MemoryArchive } from '../../../test/archive.ts'
import { catchRejection, createTestCrm, NOON, sequentialIds, UNKNOWN_ID } from '../../../test/harness.ts'
import { createCrm } from '../../crm.ts'
import { memoryStorage } from '../../memory/index.ts'

const SCHEMA = 28

/** An archive of a workspace with records of members, and an empty service. */
async function withArchive() {
  const { ports, crm, owner, ann, clock } = await createTestCrm()
  const company = await crm.companies.create(ann, { full_name: 'Prado' })
  await crm.tasks.create(owner, { title: 'Call', company_id: company.id, owner_email: 'ann@acme.example' })
  await crm.activities.create(owner, {
    content_html: '<p>Offer</p>',
    attachments: [{ filename: 'offer.txt', content: 'b2ZmZXI=' }],
  })
  const { id, stages } = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Sent' }, { name: 'Won', type: 'win' }],
  })
  const [first, ...kept] = stages
  const deal = await crm.deals.create(ann, { name: 'Roof', stage_id: first!.id })
  clock.advance(120)
  await crm.deals.update(ann, deal.id, { stage_id: kept[0]!.id })
  await crm.pipelines.update(owner, id, { stages: kept.map((stage) => ({ id: stage.id })) })
  await crm.companies.remove(owner, company.id)
  await crm.targets.create(owner, { month: '2026-03', owner_id: ann.userId, amount: 100 })
  const archive = new MemoryArchive()
  const summary = await crm.operator.exportWorkspace(
    { workspace: 'acme' },
    { writer: archive, schema: SCHEMA },
  )
  const target = { ...ports, storage: memoryStorage(), newId: sequentialIds(9000) }
  const targetCrm = createCrm(target)
  const run = (reader: MemoryArchive = archive, schema = SCHEMA) =>
    targetCrm.operator.importWorkspace({ reader, schema })
  return { archive, summary, owner, ann, target, targetCrm, run, source: crm }
}

async function expectNothing({ storage }: { storage: ReturnType<typeof memoryStorage> }, id: string) {
  const found = await storage.read(async (tx) => [
    await tx.workspaces.find([]),
    await tx.users.find([]),
    await tx.workspace(id).members.find([]),
    await tx.workspace(id).tasks.find([]),
  ])
  expect(found).toEqual([[], [], [], []])
}

test('an imported workspace is the exported one: its own archive is equal', async () => {
  const { archive, summary, owner, target, targetCrm, run } = await withArchive()
  expect(await run()).toEqual(summary)
  expect(summary.records).toMatchObject({ attachments: 1, files: 1, stages: 3, stage_moves: 1, targets: 1 })
  const second = new MemoryArchive()
  await targetCrm.operator.exportWorkspace({ workspace: 'acme' }, { writer: second, schema: SCHEMA })
  expect(second.list).toEqual(archive.list)
  const user = await target.storage.read((tx) => tx.users.get(owner.userId))
  expect(user).toMatchObject({
    email: 'olga@acme.example',
    password_hash: null,
    email_verified_at: null,
    workspace_ids: [owner.workspaceId],
    created_at: NOON,
  })
})

test('members join the accounts with their addresses in any case, and get another id where theirs is taken', async () => {
  const { ann, owner, target, targetCrm, run } = await withArchive()
  const there = { name: 'Anna', owner_email: 'ANN@acme.example', slug: 'there', owner_name: 'Anna' }
  const { owner: anna } = await targetCrm.operator.createWorkspace(there)
  await target.storage.transact((tx) =>
    tx.users.insert({
      id: owner.userId,
      ...{ email: 'else@other.example', name: 'Else', password_hash: null, email_verified_at: NOON },
      ...{ workspace_ids: [], created_at: NOON, updated_at: NOON },
    }),
  )
  await run()
  const stores = await target.storage.read(async (tx) => ({
    tasks: await tx.workspace(owner.workspaceId).tasks.find([]),
    targets: await tx.workspace(owner.workspaceId).targets.find([]),
    moves: await tx.workspace(owner.workspaceId).stage_moves.find([]),
    members: await tx.workspace(owner.workspaceId).members.find([]),
    anna: await tx.users.get(anna.id),
    olga: (await tx.users.find([{ field: 'email', is: 'olga@acme.example' }]))[0],
  }))
  expect(stores.tasks).toMatchObject([{ owner_user_id: anna.id }])
  expect(stores.targets).toMatchObject([{ owner_id: anna.id }])
  expect(stores.moves).toMatchObject([{ user_id: anna.id }])
  expect(stores.members.map(({ id }) => id)).toEqual(expect.arrayContaining([anna.id, stores.olga!.id]))
  expect([anna.id, stores.olga!.id]).not.toEqual(expect.arrayContaining([ann.userId, owner.userId]))
  expect(stores.anna).toMatchObject({ name: 'Anna', workspace_ids: [expect.anything(), owner.workspaceId] })
})

test('an account that nobody has verified gets no access to an imported workspace', async () => {
  const { owner, target, run } = await withArchive()
  await target.storage.transact((tx) =>
    tx.users.insert({
      id: UNKNOWN_ID,
      ...{ email: 'olga@acme.example', name: 'Mallory', password_hash: 'hash', email_verified_at: null },
      ...{ workspace_ids: [UNKNOWN_ID], created_at: NOON, updated_at: NOON },
    }),
  )
  expect((await catchRejection(run())).message).toMatch(
    /member olga@acme.example, whose account here is not verified/,
  )
  expect(await target.storage.read((tx) => tx.workspaces.get(owner.workspaceId))).toBeUndefined()
})

test('a workspace whose id or slug is taken is not imported', async () => {
  const { targetCrm, run } = await withArchive()
  await run()
  expect(await catchRejection(run())).toMatchObject({ code: 'conflict', message: /already: acme/ })
  const other = await withArchive()
  const { id } = await other.targetCrm.operator.createWorkspace({
    ...{ name: 'B', slug: 'acme', owner_name: 'Bo', owner_email: 'bo@b.example' },
  })
  expect(await catchRejection(other.run())).toMatchObject({
    code: 'conflict',
    message: /has this slug: acme/,
  })
  expect((await targetCrm.operator.allWorkspaces()).map((each) => each.slug)).toEqual(['acme'])
  expect((await other.targetCrm.operator.allWorkspaces()).map((each) => each.id)).toEqual([id])
})

const DAMAGED = /it is damaged\. Copy it again, or export the workspace again\.$/

test.each<[string, (archive: MemoryArchive) => MemoryArchive, RegExp]>([
  ['that lacks its end', ({ list }) => new MemoryArchive(list.slice(0, -1)), DAMAGED],
  ['that lacks an entry', ({ list }) => new MemoryArchive(list.toSpliced(3, 1)), DAMAGED],
  ['with an entry too many', ({ list }) => new MemoryArchive(list.toSpliced(3, 0, list[3]!)), DAMAGED],
  ['that goes on', ({ list }) => new MemoryArchive([...list, list[0]!]), DAMAGED],
  [
    'with another letter',
    ({ list }) => new MemoryArchive(list.map((entry) => edit(entry, 'tasks/', 'Call', 'Cull'))),
    DAMAGED,
  ],
  [
    'with an unknown collection',
    (archive) => archive.forge((entry) => rename(entry, 'tasks/', 'secrets/')),
    /not known here: secrets/,
  ],
  [
    'with an unknown field',
    (archive) => archive.forge((entry) => edit(entry, 'tasks/', '"title"', '"x":1,"title"')),
    /field x in tasks/,
  ],
  [
    'without a field',
    (archive) => archive.forge((entry) => edit(entry, 'tasks/', '"title":"Call",', '')),
    /tasks whose title is missing/,
  ],
  [
    'with a wrong instant',
    (archive) =>
      archive.forge((entry) => edit(entry, 'tasks/', '"created_at":"2026', '"created_at":"in 2026')),
    /created_at is missing or wrong/,
  ],
  [
    'with a line that is no record',
    (archive) => archive.forge((entry) => edit(entry, 'tasks/', '{', '')),
    DAMAGED,
  ],
  [
    'with a reference to no record',
    (archive) =>
      archive.forge((entry) => edit(entry, 'tasks/', /"company_id":"[^"]*"/, `"company_id":"${UNKNOWN_ID}"`)),
    /company_id/,
  ],
  [
    'with records of a stranger',
    (archive) =>
      archive.forge((entry) =>
        edit(entry, 'tasks/', /"owner_user_id":"[^"]*"/, `"owner_user_id":"${UNKNOWN_ID}"`),
      ),
    /no account of the member/,
  ],
  [
    'of another workspace than its manifest says',
    (archive) => archive.forge((entry) => edit(entry, 'workspaces/', '"acme"', '"evil"')),
    DAMAGED,
  ],
])('an archive %s is refused, and nothing is written', async (_, change, message) => {
  const { archive, owner, target, run } = await withArchive()
  const error = await run(change(archive)).catch((error: unknown) => error)
  expect(error).toMatchObject({ message })
  await expectNothing(target, owner.workspaceId)
})

test('an archive of another schema is refused with what to do', async () => {
  const { run, target, owner } = await withArchive()
  expect((await catchRejection(run(undefined, SCHEMA - 1))).message).toMatch(
    /newer version .* Run that version/,
  )
  expect((await catchRejection(run(undefined, SCHEMA + 1))).message).toMatch(
    /earlier version .* export again/,
  )
  await expectNothing(target, owner.workspaceId)
})

test('an import into a store that keeps another value is refused, and nothing is written', async () => {
  const { archive, target, owner } = await withArchive()
  const { storage } = target
  const transact: typeof storage.transact = (work) =>
    storage.transact((tx) =>
      work({
        ...tx,
        workspace(id) {
          const stores = tx.workspace(id)
          const insertMany: typeof stores.tasks.insertMany = (tasks) =>
            stores.tasks.insertMany(tasks.map((task) => ({ ...task, title: 'Cull' })))
          return { ...stores, tasks: { ...stores.tasks, insertMany } }
        },
      }),
    )
  const crm = createCrm({ ...target, storage: { ...storage, transact } })
  const run = crm.operator.importWorkspace({ reader: archive, schema: SCHEMA })
  expect((await catchRejection(run)).message).toMatch(/an entry tasks\/000001.ndjson that is not the one/)
  await expectNothing(target, owner.workspaceId)
})

type Entry = MemoryArchive['list'][number]

function edit(entry: Entry, prefix: string, from: string | RegExp, to: string): Entry {
  return entry.name.startsWith(prefix) ? { ...entry, content: entry.content.replace(from, to) } : entry
}

function rename(entry: Entry, from: string, to: string): Entry {
  return { ...entry, name: entry.name.replace(from, to) }
}
