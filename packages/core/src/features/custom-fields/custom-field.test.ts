import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { recordApi } from '../../engine/crud.ts'
import { customFields } from './custom-field.ts'

const NO_OPTIONS_ALLOWED = 'Must be left out: only select and multi_select have options.'
const KEY_FORMAT = 'Must be lower-case letters and digits, joined by single underscores.'
const COLORS = {
  select_list: [
    { key: 'red', option: 'Red' },
    { key: 'blue', option: 'Dark blue' },
  ],
}
const TEXT = { label: 'Nickname', key: 'nickname', type: 'text' } as const
const SELECT = { label: 'Color', key: 'color', type: 'select', value: COLORS } as const

async function setUpFields() {
  const base = await createTestCrm()
  const fields = recordApi(customFields, createEngine(base.ports))
  return {
    ...base,
    fields,
    catchCreateErrors: (input: object) => catchFieldErrors(fields.create(base.owner, input as never)),
  }
}

test('a custom field is created, read, updated and deleted', async () => {
  const { fields, owner, clock } = await setUpFields()
  const field = await fields.create(owner, {
    ...TEXT,
    label: ' Nickname ',
    key: 'NickName',
    required: true,
    show_deals: true,
  })
  expect(field).toEqual({
    id: field.id,
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
  expect(await fields.get(owner, field.id)).toEqual(field)
  expect((await fields.list(owner, { order_by: 'label' })).data).toEqual([field])
  clock.advance(60)
  const updatedField = await fields.update(owner, field.id, {
    label: 'Known as',
    required: false,
    show_people: false,
  })
  expect(updatedField).toEqual({ ...field, label: 'Known as', required: false, show_people: false })
  await fields.remove(owner, field.id)
  expect(await catchRejection(fields.get(owner, field.id))).toEqual({
    code: 'not_found',
    message: 'Custom field not found.',
  })
  expect((await fields.create(owner, TEXT)).key).toBe('nickname')
})

test('a field is by default optional and shown for people and companies', async () => {
  const { fields, owner } = await setUpFields()
  const nulls = { required: null, show_people: null, show_companies: null, show_deals: null, value: null }
  expect(await fields.create(owner, { ...TEXT, ...nulls })).toMatchObject({
    value: null,
    required: false,
    show_people: true,
    show_companies: true,
    show_deals: false,
  })
})

test('a key is unique in a workspace, ignoring case', async () => {
  const { fields, owner, otherOwner } = await setUpFields()
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
    const { fields, owner } = await setUpFields()
    expect((await fields.create(owner, { ...TEXT, key })).key).toBe(key)
  },
)

test.each([
  ['__proto__', KEY_FORMAT],
  ['a__b', KEY_FORMAT],
  ['_a', KEY_FORMAT],
  ['a-b', KEY_FORMAT],
  ['', KEY_FORMAT],
  ['x'.repeat(36), 'Must be at most 35 characters.'],
  [5, 'Must be a string.'],
  [null, 'Must not be null.'],
])('a field may not have the key %j', async (key, message) => {
  const { catchCreateErrors } = await setUpFields()
  expect(await catchCreateErrors({ ...TEXT, key })).toEqual({ key: message })
})

test('all errors of a new field are reported at once', async () => {
  const { catchCreateErrors } = await setUpFields()
  expect(await catchCreateErrors({})).toEqual({ label: 'Required.', key: 'Required.', type: 'Required.' })
  expect(
    await catchCreateErrors({
      label: 'x'.repeat(41),
      key: 'A B',
      type: 'select',
      required: 'no',
      show_deal: true,
    }),
  ).toEqual({
    label: 'Must be between 1 and 40 characters.',
    key: KEY_FORMAT,
    value: 'Required.',
    required: 'Must be true or false.',
    show_deal: 'Unknown field. Did you mean "show_deals"?',
  })
  expect(await catchCreateErrors({ ...TEXT, type: 'Text' })).toEqual({
    type: 'Must be one of: text, long_text, select, multi_select, cpf, cnpj, date, number, link, address.',
  })
})

describe('options', () => {
  test.each(['select', 'multi_select'] as const)('of a %s keep their order', async (type) => {
    const { fields, owner, catchCreateErrors } = await setUpFields()
    const field = await fields.create(owner, {
      ...SELECT,
      type,
      value: { select_list: [{ key: 'BLUE', option: ' Blue ' }, COLORS.select_list[0]!] },
    })
    expect(field.value).toEqual({ select_list: [{ key: 'blue', option: 'Blue' }, COLORS.select_list[0]] })
    expect(await catchCreateErrors({ ...TEXT, type })).toEqual({ value: 'Required.' })
    expect(await catchCreateErrors({ ...TEXT, type, value: null })).toEqual({ value: 'Required.' })
  })

  test.each(['text', 'long_text', 'cpf', 'cnpj', 'date', 'number', 'link', 'address'])(
    'are rejected for the type %s',
    async (type) => {
      const { catchCreateErrors } = await setUpFields()
      expect(await catchCreateErrors({ ...TEXT, type, label: '', value: COLORS })).toEqual({
        label: 'Required.',
        value: NO_OPTIONS_ALLOWED,
      })
      expect(await catchCreateErrors({ ...TEXT, type, value: {} })).toEqual({
        value: NO_OPTIONS_ALLOWED,
        'value.select_list': 'Required.',
      })
    },
  )

  test.each([[5], ['red'], [true], [[]], [['red']]])('cannot be %j', async (value) => {
    const { catchCreateErrors } = await setUpFields()
    const message = 'Must be an object with a select_list, for select and multi_select alone.'
    expect(await catchCreateErrors({ ...SELECT, value })).toEqual({ value: message })
    expect(await catchCreateErrors({ ...TEXT, value })).toEqual({ value: message })
  })

  test('number from one to two hundred', async () => {
    const { fields, owner, catchCreateErrors } = await setUpFields()
    const entries = Array.from({ length: 201 }, (_, index) => ({ key: `k${index}`, option: 'Same' }))
    const field = await fields.create(owner, { ...SELECT, value: { select_list: entries.slice(1) } })
    expect(field.value?.select_list).toHaveLength(200)
    for (const select_list of [[], entries]) {
      expect(await catchCreateErrors({ ...SELECT, value: { select_list } })).toEqual({
        'value.select_list': 'Must have between 1 and 200 entries.',
      })
    }
    expect(await catchCreateErrors({ ...SELECT, value: { select_list: { 0: entries[0] } } })).toEqual({
      'value.select_list': 'Must be an array.',
    })
  })

  test('require a key and a text', async () => {
    const { catchCreateErrors } = await setUpFields()
    const select_list = [
      { key: 'red', option: 'x'.repeat(81) },
      { key: 'a b', option: ' ' },
      { id: 1 },
      'red',
      null,
    ]
    expect(await catchCreateErrors({ ...SELECT, value: { select_list, options: [] } })).toEqual({
      'value.options': 'Unknown field.',
      'value.select_list[0].option': 'Must be between 1 and 80 characters.',
      'value.select_list[1].key': KEY_FORMAT,
      'value.select_list[1].option': 'Required.',
      'value.select_list[2].id': 'Unknown field.',
      'value.select_list[2].key': 'Required.',
      'value.select_list[2].option': 'Required.',
      'value.select_list[3]': 'Must be an object.',
      'value.select_list[4]': 'Must not be null.',
    })
  })

  test('have unique keys, ignoring case', async () => {
    const { fields, owner, catchCreateErrors } = await setUpFields()
    const keys = ['red', 'blue', 'RED', 'constructor', 'blue', 'constructor']
    const select_list = keys.map((key) => ({ key, option: key }))
    const message = 'Must be unique in the list.'
    const errors = {
      'value.select_list[2].key': message,
      'value.select_list[4].key': message,
      'value.select_list[5].key': message,
    }
    expect(await catchCreateErrors({ ...SELECT, value: { select_list } })).toEqual(errors)
    const { id } = await fields.create(owner, SELECT)
    expect(await catchFieldErrors(fields.update(owner, id, { value: { select_list } }))).toEqual(errors)
  })
})

describe('an update', () => {
  test('can replace the options', async () => {
    const { fields, owner } = await setUpFields()
    const field = await fields.create(owner, SELECT)
    const value = { select_list: [{ key: 'green', option: 'Green' }, ...COLORS.select_list] }
    expect(await fields.update(owner, field.id, { value })).toEqual({ ...field, value })
  })

  test('cannot change type and key', async () => {
    const { fields, owner } = await setUpFields()
    const field = await fields.create(owner, SELECT)
    expect(
      await catchFieldErrors(
        fields.update(owner, field.id, { type: 'multi_select', key: 'colour', value: null }),
      ),
    ).toEqual({
      type: 'Cannot be changed.',
      key: 'Cannot be changed.',
      value: 'Required.',
    })
    expect(await fields.update(owner, field.id, { type: 'select', key: 'COLOR', value: COLORS })).toEqual(
      field,
    )
  })

  test('cannot add options to a field of another type', async () => {
    const { fields, owner } = await setUpFields()
    const field = await fields.create(owner, TEXT)
    expect(await catchFieldErrors(fields.update(owner, field.id, { value: COLORS }))).toEqual({
      value: NO_OPTIONS_ALLOWED,
    })
    expect(await catchFieldErrors(fields.update(owner, field.id, { type: 'select', value: COLORS }))).toEqual(
      {
        type: 'Cannot be changed.',
        value: NO_OPTIONS_ALLOWED,
      },
    )
    expect(await fields.update(owner, field.id, { value: null })).toEqual(field)
  })

  test('cannot clear a flag or the label', async () => {
    const { fields, owner } = await setUpFields()
    const field = await fields.create(owner, TEXT)
    const nulls = { label: null, required: null, show_people: null, show_companies: null, show_deals: null }
    expect(await catchFieldErrors(fields.update(owner, field.id, nulls as never))).toEqual({
      label: 'Must not be null.',
      required: 'Must not be null.',
      show_people: 'Must not be null.',
      show_companies: 'Must not be null.',
      show_deals: 'Must not be null.',
    })
  })
})

test('an undefined input field equals an omitted one', async () => {
  const { fields, crm, owner } = await setUpFields()
  const field = await fields.create(owner, { ...TEXT, required: true })
  const input = { label: 'Alias', required: undefined, show_people: undefined, value: undefined }
  expect(await crm.customFields.update(owner, field.id, input)).toEqual({ ...field, label: 'Alias' })
})

test('a workspace has at most 500 custom fields', async () => {
  const { fields, owner, otherOwner, storage } = await setUpFields()
  const { id } = await fields.create(owner, TEXT)
  await storage.transact(async (tx) => {
    const store = tx.workspace(owner.workspaceId).custom_fields
    const sample = (await store.get(id))!
    const otherFields = Array.from({ length: 499 }, (_, index) => ({
      ...sample,
      id: `0198c0de-0000-7000-9000-${String(index).padStart(12, '0')}`,
      key: `k${index}`,
    }))
    await store.insertMany(otherFields)
  })
  const another = { ...TEXT, key: 'another' }
  expect(await catchFieldErrors(fields.create(owner, another))).toEqual({
    key: 'The workspace has 500 custom fields, which is as many as it can have.',
  })
  await fields.create(otherOwner, another)
  await fields.remove(owner, id)
  await fields.create(owner, another)
})
