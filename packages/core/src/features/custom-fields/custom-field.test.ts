import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { recordApi } from '../../engine/crud.ts'
import { customFields } from './custom-field.ts'

const LEFT_OUT = 'Must be left out: only select and multi_select have options.'
const A_KEY = 'Must be lower-case letters and digits, joined by single underscores.'
const COLORS = {
  select_list: [
    { key: 'red', option: 'Red' },
    { key: 'blue', option: 'Dark blue' },
  ],
}
const TEXT = { label: 'Nickname', key: 'nickname', type: 'text' } as const
const SELECT = { label: 'Color', key: 'color', type: 'select', value: COLORS } as const

async function fieldOffice() {
  const base = await createTestCrm()
  const fields = recordApi(customFields, createEngine(base.ports))
  return {
    ...base,
    fields,
    faultsIn: (input: object) => catchFieldErrors(fields.create(base.owner, input as never)),
  }
}

test('a custom field is made, read, changed and deleted', async () => {
  const { fields, owner, clock } = await fieldOffice()
  const made = await fields.create(owner, {
    ...TEXT,
    label: ' Nickname ',
    key: 'NickName',
    required: true,
    show_deals: true,
  })
  expect(made).toEqual({
    id: made.id,
    label: 'Nickname',
    key: 'nickname',
    type: 'text',
    value: null,
    required: true,
    show_people: true,
    show_companies: true,
    show_deals: true,
    created_at: NOON,
  })
  expect(await fields.get(owner, made.id)).toEqual(made)
  expect((await fields.list(owner, { order_by: 'label' })).data).toEqual([made])
  clock.advance(60)
  const changed = await fields.update(owner, made.id, {
    label: 'Known as',
    required: false,
    show_people: false,
  })
  expect(changed).toEqual({ ...made, label: 'Known as', required: false, show_people: false })
  await fields.remove(owner, made.id)
  expect(await catchRejection(fields.get(owner, made.id))).toEqual({
    code: 'not_found',
    message: 'Custom field not found.',
  })
  expect((await fields.create(owner, TEXT)).key).toBe('nickname')
})

test('a field that says no more is optional, and shown for people and companies', async () => {
  const { fields, owner } = await fieldOffice()
  const blank = { required: null, show_people: null, show_companies: null, show_deals: null, value: null }
  expect(await fields.create(owner, { ...TEXT, ...blank })).toMatchObject({
    value: null,
    required: false,
    show_people: true,
    show_companies: true,
    show_deals: false,
  })
})

test('a key is used once in a workspace, whatever its case', async () => {
  const { fields, owner, otherOwner } = await fieldOffice()
  await fields.create(owner, TEXT)
  expect(await catchRejection(fields.create(owner, { ...SELECT, key: 'NICKNAME' }))).toEqual({
    code: 'conflict',
    message: 'A record with this value already exists.',
    fields: { key: 'A record with this value already exists.' },
  })
  expect((await fields.create(otherOwner, TEXT)).key).toBe('nickname')
})

test.each(['constructor', 'tostring', 'prototype', 'hasownproperty', 'a', '0', 'x'.repeat(35)])(
  'a field may have the key %s',
  async (key) => {
    const { fields, owner } = await fieldOffice()
    expect((await fields.create(owner, { ...TEXT, key })).key).toBe(key)
  },
)

test.each([
  ['__proto__', A_KEY],
  ['a__b', A_KEY],
  ['_a', A_KEY],
  ['a-b', A_KEY],
  ['', A_KEY],
  ['x'.repeat(36), 'Must be at most 35 characters.'],
  [5, 'Must be a string.'],
  [null, 'Must not be null.'],
])('a field may not have the key %j', async (key, fault) => {
  const { faultsIn } = await fieldOffice()
  expect(await faultsIn({ ...TEXT, key })).toEqual({ key: fault })
})

test('everything that is wrong with a new field is told at once', async () => {
  const { faultsIn } = await fieldOffice()
  expect(await faultsIn({})).toEqual({ label: 'Required.', key: 'Required.', type: 'Required.' })
  expect(
    await faultsIn({ label: 'x'.repeat(41), key: 'A B', type: 'select', required: 'no', show_deal: true }),
  ).toEqual({
    label: 'Must be between 1 and 40 characters.',
    key: A_KEY,
    value: 'Required.',
    required: 'Must be true or false.',
    show_deal: 'Unknown field. Did you mean "show_deals"?',
  })
  expect(await faultsIn({ ...TEXT, type: 'Text' })).toEqual({
    type: 'Must be one of: text, long_text, select, multi_select, cpf, cnpj, date, number, link, address.',
  })
})

describe('options', () => {
  test.each(['select', 'multi_select'] as const)('are kept in their order by the type %s', async (type) => {
    const { fields, owner, faultsIn } = await fieldOffice()
    const made = await fields.create(owner, {
      ...SELECT,
      type,
      value: { select_list: [{ key: 'BLUE', option: ' Blue ' }, COLORS.select_list[0]] },
    })
    expect(made.value).toEqual({ select_list: [{ key: 'blue', option: 'Blue' }, COLORS.select_list[0]] })
    expect(await faultsIn({ ...TEXT, type })).toEqual({ value: 'Required.' })
    expect(await faultsIn({ ...TEXT, type, value: null })).toEqual({ value: 'Required.' })
  })

  test.each(['text', 'long_text', 'cpf', 'cnpj', 'date', 'number', 'link', 'address'])(
    'are refused for the type %s',
    async (type) => {
      const { faultsIn } = await fieldOffice()
      expect(await faultsIn({ ...TEXT, type, label: '', value: COLORS })).toEqual({
        label: 'Required.',
        value: LEFT_OUT,
      })
      expect(await faultsIn({ ...TEXT, type, value: {} })).toEqual({
        value: LEFT_OUT,
        'value.select_list': 'Required.',
      })
    },
  )

  test.each([[5], ['red'], [true]])('are not made of %j', async (value) => {
    const { faultsIn } = await fieldOffice()
    const fault = 'Must be an object with a select_list, for select and multi_select alone.'
    expect(await faultsIn({ ...SELECT, value })).toEqual({ value: fault })
    expect(await faultsIn({ ...TEXT, value })).toEqual({ value: fault })
  })

  test('are from one to two hundred', async () => {
    const { fields, owner, faultsIn } = await fieldOffice()
    const many = Array.from({ length: 201 }, (_, index) => ({ key: `k${index}`, option: 'Same' }))
    const made = await fields.create(owner, { ...SELECT, value: { select_list: many.slice(1) } })
    expect(made.value?.select_list).toHaveLength(200)
    for (const select_list of [[], many]) {
      expect(await faultsIn({ ...SELECT, value: { select_list } })).toEqual({
        'value.select_list': 'Must have between 1 and 200 entries.',
      })
    }
    expect(await faultsIn({ ...SELECT, value: { select_list: { 0: many[0] } } })).toEqual({
      'value.select_list': 'Must be an array.',
    })
  })

  test('have a key of their own and a text', async () => {
    const { faultsIn } = await fieldOffice()
    const select_list = [
      { key: 'red', option: 'x'.repeat(81) },
      { key: 'a b', option: ' ' },
      { id: 1 },
      'red',
      null,
    ]
    expect(await faultsIn({ ...SELECT, value: { select_list, options: [] } })).toEqual({
      'value.options': 'Unknown field.',
      'value.select_list[0].option': 'Must be between 1 and 80 characters.',
      'value.select_list[1].key': A_KEY,
      'value.select_list[1].option': 'Required.',
      'value.select_list[2].id': 'Unknown field.',
      'value.select_list[2].key': 'Required.',
      'value.select_list[2].option': 'Required.',
      'value.select_list[3]': 'Must be an object.',
      'value.select_list[4]': 'Must not be null.',
    })
  })

  test('repeat no key, whatever its case', async () => {
    const { fields, owner, faultsIn } = await fieldOffice()
    const keys = ['red', 'blue', 'RED', 'constructor', 'blue', 'constructor']
    const select_list = keys.map((key) => ({ key, option: key }))
    const unique = 'Must be unique in the list.'
    const faults = {
      'value.select_list[2].key': unique,
      'value.select_list[4].key': unique,
      'value.select_list[5].key': unique,
    }
    expect(await faultsIn({ ...SELECT, value: { select_list } })).toEqual(faults)
    const { id } = await fields.create(owner, SELECT)
    expect(await catchFieldErrors(fields.update(owner, id, { value: { select_list } }))).toEqual(faults)
  })
})

describe('a change', () => {
  test('may replace the options', async () => {
    const { fields, owner } = await fieldOffice()
    const made = await fields.create(owner, SELECT)
    const value = { select_list: [{ key: 'green', option: 'Green' }, ...COLORS.select_list] }
    expect(await fields.update(owner, made.id, { value })).toEqual({ ...made, value })
  })

  test('leaves type and key as they were made', async () => {
    const { fields, owner } = await fieldOffice()
    const made = await fields.create(owner, SELECT)
    expect(
      await catchFieldErrors(
        fields.update(owner, made.id, { type: 'multi_select', key: 'colour', value: null }),
      ),
    ).toEqual({
      type: 'Cannot be changed.',
      key: 'Cannot be changed.',
      value: 'Required.',
    })
    expect(await fields.update(owner, made.id, { type: 'select', key: 'COLOR', value: COLORS })).toEqual(made)
  })

  test('gives options to no field of another type', async () => {
    const { fields, owner } = await fieldOffice()
    const made = await fields.create(owner, TEXT)
    expect(await catchFieldErrors(fields.update(owner, made.id, { value: COLORS }))).toEqual({
      value: LEFT_OUT,
    })
    expect(await catchFieldErrors(fields.update(owner, made.id, { type: 'select', value: COLORS }))).toEqual({
      type: 'Cannot be changed.',
      value: LEFT_OUT,
    })
    expect(await fields.update(owner, made.id, { value: null })).toEqual(made)
  })

  test('empties no flag and no label', async () => {
    const { fields, owner } = await fieldOffice()
    const made = await fields.create(owner, TEXT)
    const empty = { label: null, required: null, show_people: null, show_companies: null, show_deals: null }
    expect(await catchFieldErrors(fields.update(owner, made.id, empty as never))).toEqual({
      label: 'Must not be null.',
      required: 'Must not be null.',
      show_people: 'Must not be null.',
      show_companies: 'Must not be null.',
      show_deals: 'Must not be null.',
    })
  })
})

test('a field that is sent as undefined is a field that is not sent', async () => {
  const { fields, crm, owner } = await fieldOffice()
  const field = await fields.create(owner, { ...TEXT, required: true })
  const sent = { label: 'Alias', required: undefined, show_people: undefined, value: undefined }
  expect(await crm.customFields.update(owner, field.id, sent)).toEqual({ ...field, label: 'Alias' })
})

test('a workspace has at most five hundred fields', async () => {
  const { fields, owner, otherOwner, storage } = await fieldOffice()
  const { id } = await fields.create(owner, TEXT)
  await storage.transact(async (tx) => {
    const store = tx.workspace(owner.workspaceId).custom_fields
    const sample = (await store.get(id))!
    const more = Array.from({ length: 499 }, (_, index) => ({
      ...sample,
      id: `0198c0de-0000-7000-9000-${String(index).padStart(12, '0')}`,
      key: `k${index}`,
    }))
    await store.insertMany(more)
  })
  const another = { ...TEXT, key: 'another' }
  expect(await catchFieldErrors(fields.create(owner, another))).toEqual({
    key: 'The workspace has 500 custom fields, which is as many as it can have.',
  })
  await fields.create(otherOwner, another)
  await fields.remove(owner, id)
  await fields.create(owner, another)
})
