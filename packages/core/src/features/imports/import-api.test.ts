import { expect, test } from 'vitest'
import { readMailedToken } from '../../../test/accounts.ts'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { checkFile, runFile, uploadFile, workOff } from '../../../test/imports.ts'
import { tables } from '../../../test/tables.ts'

const FILE = [
  'Name;Email;Phone;Company;Tags',
  'Helena Dias;helena@ipe.example;+55 11 90000-4417;Grupo Ipê;VIP',
  'Jonas Brandt;jonas@sebo.example;;Livraria Sebo;',
  'Célia Rocha;celia@ipe.example;;grupo ipe;VIP, Novo',
  'No Address;not an address;;Padaria Sol;',
  'Helena D.;HELENA@ipe.example;;Grupo Ipê;',
].join('\n')

test('a file becomes people at companies, each once', async () => {
  const { crm, owner } = await createTestCrm({ tables })
  const { id, columns, state, rows } = await uploadFile(crm, owner, FILE, { partBytes: 50 })
  expect({ state, rows }).toEqual({ state: 'ready', rows: 5 })
  expect(columns.map(({ target }) => target && `${target.kind}.${target.field}`)).toEqual([
    'people.full_name',
    'people.emails:work',
    'people.phones:work',
    'companies.full_name',
    'people.tags',
  ])
  const counts = {
    people: { created: 3, updated: 0, unchanged: 1, left_out: 1 },
    companies: { created: 3, updated: 0, unchanged: 2, left_out: 0 },
  }
  const checked = await checkFile(crm, owner, id)
  expect(checked.report).toMatchObject({ counts, rows_with_problems: 1 })
  expect((await crm.people.list(owner, {})).meta.total).toBe(0)
  const done = await runFile(crm, owner, id)
  expect(done).toMatchObject({ state: 'done', done: 5, counts, rows_with_problems: 1 })
  const people = await crm.people.list(owner, { order_by: 'full_name', order: 'asc' })
  expect(people.data.map(({ full_name }) => full_name)).toEqual([
    'Célia Rocha',
    'Helena Dias',
    'Jonas Brandt',
  ])
  const celia = await crm.people.get(owner, people.data[0]!.id)
  expect(celia).toMatchObject({
    company: { full_name: 'Grupo Ipê' },
    tags: [{ name: 'VIP' }, { name: 'Novo' }],
  })
  expect(await readText(await crm.imports.failedRows(owner, id))).toBe(
    '\uFEFFName,Email,Phone,Company,Tags,error\r\n' +
      'No Address,not an address,,Padaria Sol,,Email (not an address): Is no e-mail address.\r\n',
  )
})

test('people who share the value of a custom field are different people', async () => {
  const { crm, owner } = await createTestCrm({ tables })
  await crm.customFields.create(owner, { label: 'Plan', key: 'plan', type: 'text', show_people: true })
  const text = 'Name;Email;Plan\nAna;ana@x.example;Gold\nBob;bob@x.example;Gold\nBob B;bob@y.example;gold'
  const { id, match_choices } = await uploadFile(crm, owner, text)
  expect(match_choices).toEqual({ people: ['email', 'custom_fields.plan'] })
  expect((await runFile(crm, owner, id)).counts).toMatchObject({ people: { created: 3 } })
  const chosen = await uploadFile(crm, owner, text, { changes: { match: { people: 'custom_fields.plan' } } })
  expect((await runFile(crm, owner, chosen.id)).counts).toMatchObject({
    people: { created: 0, unchanged: 3 },
  })
})

test('a full workspace is named by the check, and pauses the run, which goes on when there is room', async () => {
  const { crm, owner, clock } = await createTestCrm({ tables, quota: { records: 4, bytes: 1e9 } })
  const { records } = (await crm.workspace.get(owner)).storage
  const room = 4 - records
  const { id } = await uploadFile(crm, owner, 'Name;Email\nAna;a@x.example\nBob;b@x.example\nEva;e@x.example')
  expect((await checkFile(crm, owner, id)).report).toMatchObject({ over_quota: 3 - room })
  const paused = await runFile(crm, owner, id)
  expect(paused).toMatchObject({ state: 'paused', problem: { code: 'workspace_full' } })
  expect(paused.problem?.message).toContain('The workspace is full: it may hold 4 records.')
  clock.advance(60)
  for (const { id: person } of (await crm.people.list(owner, {})).data) await crm.people.remove(owner, person)
  for (const { id: type } of (await crm.taskTypes.list(owner, {})).data)
    await crm.taskTypes.remove(owner, type)
  await crm.imports.resume(owner, id)
  await workOff(crm)
  expect(await crm.imports.get(owner, id)).toMatchObject({ state: 'done', done: 3 })
})

test('an import that creates nothing runs in a workspace that is full of records', async () => {
  const quota = { records: 30, bytes: 1e9 }
  const { crm, owner, clock } = await createTestCrm({ tables, quota })
  const { records } = (await crm.workspace.get(owner)).storage
  const emails = Array.from({ length: quota.records - records }, (_, row) => `p${row}@x.example`)
  for (const email of emails) await crm.people.create(owner, { full_name: 'Ana', emails: [{ email }] })
  const lines = emails.map((email) => `Ana;${email};Chair`)
  clock.advance(1)
  const { id } = await uploadFile(crm, owner, ['Name;Email;Position', ...lines].join('\n'))
  expect(await runFile(crm, owner, id)).toMatchObject({
    ...{ state: 'done', problem: null },
    counts: { people: { created: 0, updated: emails.length } },
  })
  const more = await uploadFile(
    crm,
    owner,
    ['Name;Email', ...emails.map((email) => `Ana;${email}`), 'Bob;bob@x.example'].join('\n'),
  )
  expect(await runFile(crm, owner, more.id)).toMatchObject({
    ...{ state: 'paused', problem: { code: 'workspace_full' } },
  })
  expect((await crm.workspace.get(owner)).storage).toMatchObject({ records: quota.records })
})

test('rows that create more records than rows fill a workspace no further than its quota', async () => {
  const { crm, owner } = await createTestCrm({ tables, quota: { records: 9, bytes: 1e9 } })
  const { records } = (await crm.workspace.get(owner)).storage
  const rows = Array.from({ length: 9 - records }, (_, row) => `P${row};p${row}@x.example;C${row}`)
  const { id } = await uploadFile(crm, owner, ['Name;Email;Company', ...rows].join('\n'))
  expect(await runFile(crm, owner, id)).toMatchObject({ state: 'paused', done: 0 })
  expect((await crm.workspace.get(owner)).storage).toMatchObject({ records })
})

test('an import pauses in a workspace that is full of bytes, also for changes', async () => {
  const { crm, owner } = await createTestCrm({ tables, quota: { records: 1000, bytes: 10_000 } })
  await crm.people.create(owner, { full_name: 'Ana', emails: [{ email: 'ana@x.example' }] })
  const text = `Name;Email;Position\nAna;ana@x.example;${'x'.repeat(9000)}`
  const { id } = await uploadFile(crm, owner, text, { partBytes: 10_000 })
  const paused = await runFile(crm, owner, id)
  expect(paused).toMatchObject({ state: 'paused', problem: { code: 'workspace_full' } })
  expect(paused.problem?.message).toContain('10000 bytes')
})

test('of the imports of a workspace one runs, and five wait', async () => {
  const { crm, owner, clock } = await createTestCrm({ tables })
  const ids: string[] = []
  for (let number = 0; number < 7; number += 1)
    ids.push((await uploadFile(crm, owner, `Name;Email\nAna;a${number}@x.example`)).id)
  await crm.imports.run(owner, ids[0]!)
  // It is taken, and makes no step.
  await crm.imports.continue(() => false)
  for (const id of ids.slice(1, 6)) await crm.imports.run(owner, id)
  expect(await catchRejection(crm.imports.run(owner, ids[6]!))).toMatchObject({
    code: 'conflict',
    fields: { state: '5 imports of the workspace are waiting already.' },
  })
  const stateOf = async (id: string) => (await crm.imports.get(owner, id)).state
  expect(await Promise.all(ids.map(stateOf))).toEqual(['running', ...Array(5).fill('waiting'), 'ready'])
  for (let round = 0; round < 6; round += 1) {
    await workOff(crm)
    clock.advance(1)
  }
  expect(await Promise.all(ids.map(stateOf))).toEqual([...Array(6).fill('done'), 'ready'])
})

test('imports are refused where no process does background work', async () => {
  const { crm, owner, clock } = await createTestCrm({ tables })
  const { id } = await crm.imports.create(owner, { name: 'a.csv', size: 4 })
  await crm.imports.upload(owner, id, { offset: 0, bytes: Buffer.from('Name') })
  clock.advance(60)
  expect((await crm.imports.get(owner, id)).problem).toBeNull()
  clock.advance(1)
  const message =
    'No process of this service does background work. Its operator starts it with startBackground().'
  expect((await crm.imports.get(owner, id)).problem).toEqual({ code: 'no_background', message, line: null })
  const refused = crm.imports.create(owner, { name: 'b.csv', size: 4 })
  expect(await catchRejection(refused)).toEqual({ code: 'conflict', message })
  await workOff(crm)
  expect(await crm.imports.create(owner, { name: 'b.csv', size: 4 })).toMatchObject({ state: 'uploading' })
})

test('a check of many rows finds the tags and companies that earlier rows would make', async () => {
  const { crm, owner } = await createTestCrm({ tables })
  const rows = Array.from({ length: 60 }, (_, row) => `P ${row};p${row}@x.example;C ${row % 3};VIP`)
  const { id } = await uploadFile(crm, owner, ['Name;Email;Company;Tags', ...rows].join('\n'))
  const { report } = await checkFile(crm, owner, id)
  expect(report).toMatchObject({
    counts: { people: { created: 60, left_out: 0 }, companies: { created: 3, unchanged: 57 } },
    problems: [],
  })
  expect((await crm.tags.list(owner, {})).meta.total).toBe(0)
})

test('an import whose time is over is not run, and loses its file', async () => {
  const { crm, owner, clock } = await createTestCrm({ tables })
  const { id } = await uploadFile(crm, owner, 'Name;Email\nAna;a@x.example')
  const done = await runFile(crm, owner, (await uploadFile(crm, owner, 'Name;Email\nBob;b@x.example')).id)
  clock.advance(30 * 24 * 3600)
  const over = { code: 'conflict', fields: { expires_at: 'Is over: the file is deleted.' } }
  expect(await catchRejection(crm.imports.run(owner, id))).toMatchObject(over)
  expect(await catchRejection(crm.imports.check(owner, id))).toMatchObject(over)
  expect(await catchRejection(crm.imports.revert(owner, done.id))).toMatchObject(over)
  while ((await crm.deleteExpired()) > 0);
  expect(await crm.imports.get(owner, done.id)).toMatchObject({ state: 'done', counts: done.counts })
})

test('a file that was imported before changes nothing', async () => {
  const { crm, owner } = await createTestCrm({ tables })
  await runFile(crm, owner, (await uploadFile(crm, owner, FILE)).id)
  const again = await runFile(crm, owner, (await uploadFile(crm, owner, FILE)).id)
  expect(again.counts).toEqual({
    people: { created: 0, updated: 0, unchanged: 4, left_out: 1 },
    companies: { created: 0, updated: 0, unchanged: 5, left_out: 0 },
  })
})

test('a reversal deletes what the import made, restores what it changed, and leaves what somebody changed since', async () => {
  const { crm, owner, clock } = await createTestCrm({ tables })
  const known = await crm.people.create(owner, {
    full_name: 'Jonas Brandt',
    emails: [{ email: 'jonas@sebo.example' }],
  })
  clock.advance(60)
  const { id } = await runFile(crm, owner, (await uploadFile(crm, owner, FILE)).id)
  clock.advance(60)
  const jonas = await crm.people.get(owner, known.id)
  expect(jonas.company).toMatchObject({ full_name: 'Livraria Sebo' })
  const people = await crm.people.list(owner, { order_by: 'full_name', order: 'asc' })
  const celia = people.data.find(({ full_name }) => full_name === 'Célia Rocha')!
  await crm.people.update(owner, celia.id, { position: 'Chair' })
  await crm.imports.revert(owner, id)
  await workOff(crm)
  const reverted = await crm.imports.get(owner, id)
  expect(reverted).toMatchObject({ state: 'reverted', reversal: { deleted: 5, restored: 1, kept: 2 } })
  expect((await crm.people.get(owner, known.id)).company).toBeNull()
  const kept = await crm.imports.kept(owner, id)
  expect(kept.data).toMatchObject([
    { number: 0, kind: 'people', name: 'Célia Rocha', reason: 'changed' },
    { number: 1, kind: 'companies', name: 'Grupo Ipê', reason: 'linked' },
  ])
  const decisions = kept.data.map(({ number }) => ({ number, decision: 'revert' }))
  expect(await crm.imports.decide(owner, id, { decisions })).toMatchObject({
    reversal: { deleted: 7, restored: 1, kept: 0 },
  })
  expect((await crm.people.list(owner, {})).data.map(({ full_name }) => full_name)).toEqual(['Jonas Brandt'])
  expect((await crm.companies.list(owner, {})).meta.total).toBe(0)
})

test('a reversal says how far it is of how many records, and how long the others take', async () => {
  const { crm, owner, clock } = await createTestCrm({ tables })
  const rows = Array.from({ length: 40 }, (_, row) => `P${row};p${row}@x.example;Company ${row % 2};VIP`)
  const { id } = await uploadFile(crm, owner, ['Name;Email;Company;Tags', ...rows].join('\n'))
  await runFile(crm, owner, id)
  await crm.imports.revert(owner, id)
  expect(await crm.imports.get(owner, id)).toMatchObject({
    ...{ state: 'reverting', rows_per_second: null, seconds_left: null },
    reversal: { done: 0, records: 42 },
  })
  clock.advance(10)
  let steps = 0
  await crm.imports.continue(() => steps++ < 2)
  const { reversal, seconds_left, rows_per_second } = await crm.imports.get(owner, id)
  const { done } = reversal!
  expect({ isBetween: done > 0 && done < 42, rows_per_second }).toEqual({
    ...{ isBetween: true, rows_per_second: null },
  })
  expect(seconds_left).toBe(Math.ceil((42 - done) / (done / 10)))
  await workOff(crm)
  expect(await crm.imports.get(owner, id)).toMatchObject({
    ...{ state: 'reverted', seconds_left: null },
    reversal: { done: 42, records: 42, deleted: 43 },
  })
})

async function readText(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

test('an invited colleague may become the owner of records, which have no owner until they join', async () => {
  const base = await createTestCrm({ tables })
  const { crm, owner, otherOwner } = base
  await crm.members.invite(owner, { email: 'Eva@New.example', role: 'member' }, { language: 'en' })
  const token = await readMailedToken(base)
  const [text, changes] = [
    'Name;Email;Owner\nAna;a@x.example;eva@new.example\nBob;b@x.example;nobody@x.example\nCai;c@x.example;',
    { owner_email: 'EVA@new.example' },
  ]
  const file = await uploadFile(crm, owner, text, { changes })
  expect(file.owner).toMatchObject({ email: 'eva@new.example' })
  expect((await checkFile(crm, owner, file.id)).report?.problems).toMatchObject([
    { column: 'Owner', message: 'No member of that name or address.', count: 1 },
  ])
  const { counts } = await runFile(crm, owner, file.id)
  expect(counts).toMatchObject({ people: { created: 2, left_out: 1 } })
  const ownersOf = async () =>
    (await crm.people.list(owner)).data.map((person) => person.owner?.email ?? null)
  expect(await ownersOf()).toEqual([null, null])
  expect((await crm.members.list(owner)).data.map(({ email }) => email)).not.toContain('eva@new.example')
  expect(await catchRejection(crm.members.get(owner, file.owner!.id))).toMatchObject({ code: 'not_found' })
  const alone = crm.people.create(owner, { full_name: 'Dea', owner_email: 'eva@new.example' })
  expect(await catchFieldErrors(alone)).toEqual({ owner_email: 'Member not found.' })
  const elsewhere = await uploadFile(crm, otherOwner, text)
  expect(await catchFieldErrors(crm.imports.update(otherOwner, elsewhere.id, changes))).toEqual({
    owner_email: 'Member not found.',
  })
  await crm.accounts.acceptInvitation(token, { name: 'Eva', password: 'battery staple' }, undefined)
  expect(await ownersOf()).toEqual(['eva@new.example', 'eva@new.example'])
  expect(await crm.members.get(owner, file.owner!.id)).toMatchObject({ name: 'Eva', removed_at: null })
})

test('failed rows go in once they are mended, as they were in the file', async () => {
  const { crm, owner } = await createTestCrm({ tables })
  const text = "Name;Email;Position\n=Ana;not mail;'=1+1\nBob;b@x.example;+1"
  const { id } = await uploadFile(crm, owner, text)
  await runFile(crm, owner, id)
  const failed = await readText(await crm.imports.failedRows(owner, id))
  const file = failed
    .replaceAll(/\uFEFF|\r/g, '')
    .replaceAll(',', ';')
    .replaceAll('not mail', 'a@x.example')
  const { columns, id: mended } = await uploadFile(crm, owner, file)
  expect(columns.at(-1)).toMatchObject({ name: 'error', target: null, reason: { code: 'failures' } })
  expect((await runFile(crm, owner, mended)).counts).toMatchObject({ people: { created: 1, left_out: 0 } })
  const people = await crm.people.list(owner, { order_by: 'full_name', order: 'asc' })
  expect(people.data).toMatchObject([
    { full_name: '=Ana', position: "'=1+1", custom_fields: [] },
    { full_name: 'Bob', position: '+1' },
  ])
})

test('all that is wrong with a change is said at once, and a state that does not allow it', async () => {
  const { crm, owner } = await createTestCrm({ tables })
  const { id } = await uploadFile(crm, owner, 'Name;Email\nAna;a@x.example')
  const changes = {
    owner_email: 'nobody@x.example',
    match: { people: 'shoe_size' },
    columns: [
      { column: 0, target: { kind: 'people', field: 'shoe_size' } },
      { column: 7, target: null },
    ],
  } as const
  expect(
    Object.keys((await catchFieldErrors(crm.imports.update(owner, id, changes as never))) ?? {}),
  ).toEqual(['owner_email', 'columns[1].column', 'columns[0].target.field', 'match.people'])
  expect(await catchRejection(crm.imports.pause(owner, id))).toEqual({
    code: 'conflict',
    message: 'The present state does not allow this call.',
    fields: { state: 'Is ready. Must be waiting or running.' },
  })
})
