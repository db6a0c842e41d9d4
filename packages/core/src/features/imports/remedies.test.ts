import { expect, test } from 'vitest'
import { ANN, catchFieldErrors, createTestCrm } from '../../../test/harness.ts'
import { checkFile, runFile, uploadFile } from '../../../test/imports.ts'
import { tables } from '../../../test/tables.ts'
import type { ImportChanges, ImportDetail } from '../../index.ts'

type Remedies = Omit<NonNullable<ImportChanges['columns']>[number], 'column'>

/** Reads a file as the owner, in a workspace with a pipeline and custom fields for people. */
async function openFile(rows: readonly string[]) {
  const base = await createTestCrm({ tables })
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }, { name: 'Qualified' }] })
  const select_list = ['Grande', 'Médio'].map((option, index) => ({ key: `size_${index}`, option }))
  for (const type of ['select', 'multi_select'] as const)
    await crm.customFields.create(owner, {
      ...{ label: `Size ${type}`, key: type, type, show_people: true, value: { select_list } },
    })
  const opened = await uploadFile(crm, owner, rows.join('\n'))
  const mend = (remedies: Readonly<Record<string, Remedies>>) =>
    crm.imports.update(owner, opened.id, { columns: toChanges(opened, remedies) })
  const check = async () => (await checkFile(crm, owner, opened.id)).report!
  const run = () => runFile(crm, owner, opened.id)
  return { ...base, opened, mend, check, run }
}

/** Remedies of columns by their names. */
function toChanges({ columns }: ImportDetail, remedies: Readonly<Record<string, Remedies>>) {
  return Object.entries(remedies).map(([name, remedy]) => ({
    ...remedy,
    column: columns.findIndex((each) => each.name === name),
  }))
}

const DEALS = [
  'Deal;Stage;Owner',
  'Chairs;Contato feito;Rita Sá',
  'Sofas;CONTATO  FEITO.;ann@acme.example',
  'Tables;???;Rita Sá',
]

test('a check counts the values that name nothing, and replaces them by what is there', async () => {
  const { crm, owner, check, mend, run } = await openFile(DEALS)
  const [stages, owners] = (await check()).problems
  expect(stages).toMatchObject({ column: 'Stage', code: 'unknown_stage', is_blank: false, count: 3 })
  expect(stages?.values).toEqual([
    { value: 'Contato feito', count: 2 },
    { value: '???', count: 1 },
  ])
  expect(owners).toMatchObject({ code: 'unknown_owner', values: [{ value: 'Rita Sá', count: 2 }] })
  const stage = [
    { from: 'contato feito', to: ' qualified' },
    { from: '???', to: null },
  ]
  const people = [
    { from: 'Rita Sá', to: ANN.email },
    { from: ANN.email, to: null },
  ]
  await mend({ Stage: { replace: stage }, Owner: { replace: people } })
  expect((await check()).problems).toEqual([])
  await run()
  const { data } = await crm.deals.list(owner, { order_by: 'name', order: 'asc' })
  expect(data.map((deal) => [deal.name, deal.stage?.name, deal.owner?.email])).toEqual([
    ['Chairs', 'Qualified', ANN.email],
    ['Sofas', 'Qualified', undefined],
    ['Tables', 'New', ANN.email],
  ])
})

test('a text that names nothing either is refused again, and no text is replaced twice', async () => {
  const { check, mend } = await openFile(DEALS)
  const replace = [
    { from: 'Contato feito', to: '???' },
    { from: '???', to: 'Contato feito' },
  ]
  await mend({ Stage: { replace }, Owner: { if_invalid: 'blank' } })
  expect((await check()).problems[0]?.values).toEqual([
    { value: '???', count: 2 },
    { value: 'Contato feito', count: 1 },
  ])
})

test('entries of a list are replaced one by one', async () => {
  const { crm, owner, check, mend, run } = await openFile([
    'Name;Email;Tags;multi_select',
    'Ana;ana@x.example, joao@;VIP, Velho;médio, Enorme',
  ])
  expect((await check()).problems).toMatchObject([
    { column: 'Email', code: 'invalid_email', cells: [{ row: 2, value: 'joao@' }] },
    { column: 'multi_select', code: 'unknown_option', cells: [{ row: 2, value: 'Enorme' }] },
  ])
  await mend({
    Email: { replace: [{ from: 'JOAO', to: 'joao@x.example' }] },
    Tags: { replace: [{ from: 'velho', to: 'Antigo, "Até 2020"' }] },
    multi_select: { replace: [{ from: 'Enorme', to: 'Grande' }] },
  })
  await run()
  const ana = await crm.people.get(owner, (await crm.people.list(owner, {})).data[0]!.id)
  expect(ana.emails.map(({ email }) => email)).toEqual(['ana@x.example', 'joao@x.example'])
  expect(ana.tags.map(({ name }) => name)).toEqual(['VIP', 'Antigo', 'Até 2020'])
  expect(ana.custom_fields).toMatchObject([{ key: 'multi_select', value: ['size_1', 'size_0'] }])
})

test('invalid cells are left empty and counted, and their records go in', async () => {
  const { crm, owner, check, mend, run } = await openFile([
    'Name;Email;Score;select;multi_select;Company;Website',
    'Ana;nothing;900;Enorme;Grande, Enorme;Ipê;not a site',
    'Bob;bob@x.example;7;grande;;;not a site',
  ])
  const blank = (field: string, kind: 'people' | 'companies' = 'people') =>
    ({ target: { kind, field }, if_invalid: 'blank' }) as const
  await mend({
    ...{ Email: blank('emails:work'), Score: blank('score'), Website: blank('website', 'companies') },
    select: blank('custom_fields.select'),
    multi_select: blank('custom_fields.multi_select'),
  })
  const report = await check()
  expect(report).toMatchObject({
    rows_with_problems: 0,
    counts: { people: { created: 2, left_out: 0 }, companies: { created: 1, left_out: 0 } },
  })
  expect(report.problems.map(({ column, code, is_blank, count }) => [column, code, is_blank, count])).toEqual(
    [
      ['Website', 'invalid_url', true, 2],
      ['Email', 'invalid_email', true, 1],
      ['select', 'unknown_option', true, 1],
      ['multi_select', 'unknown_option', true, 1],
      ['Score', 'invalid_value', true, 1],
    ],
  )
  expect(await run()).toMatchObject({ counts: report.counts, rows_with_problems: 0 })
  const { data } = await crm.people.list(owner, { order_by: 'full_name', order: 'asc' })
  const ana = await crm.people.get(owner, data[0]!.id)
  expect(ana).toMatchObject({ emails: [], score: 0, custom_fields: [{ value: ['size_0'] }] })
  expect(data[1]).toMatchObject({ full_name: 'Bob', score: 7 })
})

test('a name that is required, and a value of another record, are no invalid cells', async () => {
  const { crm, owner, check, mend } = await openFile([
    'Name;Email;External ID',
    `${'x'.repeat(300)};a@x.example;1`,
    'Bob;bob@x.example;2',
  ])
  await crm.people.create(owner, { full_name: 'Eva', external_ids: [{ source: 'import', id: '2' }] })
  await crm.imports.update(owner, (await crm.imports.list(owner)).data[0]!.id, { match: { people: null } })
  await mend({ Name: { if_invalid: 'blank' }, 'External ID': { if_invalid: 'blank' } })
  const { problems, counts } = await check()
  expect(counts).toMatchObject({ people: { created: 0, left_out: 2 } })
  expect(problems.filter(({ is_blank }) => !is_blank).map(({ code }) => code)).toEqual([
    'invalid_value',
    'taken',
  ])
})

test('a column that was stored without remedies is read and run', async () => {
  const { crm, owner, storage, opened } = await openFile(DEALS)
  await storage.transact(async (tx) => {
    const record = (await tx.imports.getForUpdate(opened.id))!
    const columns = record.columns.map((column) => {
      const { replace, if_invalid, ...others } = column as ImportDetail['columns'][number]
      return others
    })
    const problems = [{ kind: 'deals', column: 'Stage', message: 'No stage.', count: 1, cells: [] }]
    await tx.imports.update({ ...record, columns, report: { counts: {}, problems } })
  })
  expect(await crm.imports.get(owner, opened.id)).toMatchObject({
    columns: [{}, {}, {}].fill({ replace: [], if_invalid: 'refuse' }),
    report: { problems: [{ code: 'invalid_value', is_blank: false, values: [] }] },
  })
  expect(await runFile(crm, owner, opened.id)).toMatchObject({ state: 'done', rows_with_problems: 3 })
})

test('replacements are bounded, and of equal texts the last one counts', async () => {
  const { crm, owner, opened, mend } = await openFile([
    Array.from({ length: 12 }, (_, index) => `Column ${index}`).join(';'),
    'x;'.repeat(12).slice(0, -1),
  ])
  const list = (count: number) => Array.from({ length: count }, (_, index) => ({ from: `${index}`, to: 'x' }))
  const catchMend = async (replace: unknown, name = 'Column 0') =>
    catchFieldErrors(mend({ [name]: { replace: replace as Remedies['replace'] } }))
  expect(await catchMend(list(201))).toEqual({
    'columns[0].replace': 'Must have at most 200 replacements.',
  })
  expect(await catchMend([{ from: '\ud800', to: 'x' }])).toEqual({
    'columns[0].replace[0].from': 'Must be valid Unicode text.',
  })
  expect(await catchMend([{ from: ' ', to: '\udfff' }, { from: 'a' }])).toEqual({
    'columns[0].replace[0].from': 'Required.',
    'columns[0].replace[0].to': 'Must be valid Unicode text.',
    'columns[0].replace[1].to': 'Required.',
  })
  const full = Array.from({ length: 11 }, (_, column) => ({ column, replace: list(200) }))
  expect(await catchFieldErrors(crm.imports.update(owner, opened.id, { columns: full }))).toEqual({
    columns: 'Must have at most 2000 replacements together.',
  })
  const { columns } = await mend({
    'Column 0': {
      replace: [
        { from: 'João', to: 'a' },
        { from: 'joao.', to: null },
      ],
    },
  })
  expect(columns[0]?.replace).toEqual([{ from: 'joao.', to: null }])
})
