import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, type TestCrm } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage, Transaction } from '../../ports/storage.ts'
import type { StoredValue } from '../../schema/custom-value.ts'

type Entry = { readonly key: string; readonly value: StoredValue | null }

const OPTIONS = {
  select_list: [
    { key: 'red', option: 'Red' },
    { key: 'blue', option: 'Blue' },
  ],
}

async function withFields(overrides: Parameters<typeof createTestCrm>[0] = {}) {
  const base = await createTestCrm(overrides)
  const { crm, owner, clock } = base
  const field = async (key: string, type: 'text', options: object = {}) => {
    clock.advance(1)
    return crm.customFields.create(owner, { label: key.toUpperCase(), key, type, ...options })
  }
  return {
    ...base,
    field: field as (key: string, type: string, options?: object) => ReturnType<typeof field>,
  }
}

/** Wraps a storage so that it counts the store calls of its reads. */
function countCalls(storage: Storage): { readonly storage: Storage; callCount(): number } {
  let count = 0
  const wrapStore = <T extends object>(store: T): T =>
    new Proxy(store, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...parameters: unknown[]) => unknown
        return (...parameters: unknown[]) => {
          count += 1
          return method(...parameters)
        }
      },
    })
  const wrapTransaction = (tx: Transaction): Transaction => ({
    ...tx,
    workspace: (id) =>
      Object.fromEntries(
        Object.entries(tx.workspace(id)).map(([name, store]) => [name, wrapStore(store)]),
      ) as never,
  })
  const read: Storage['read'] = (work) => storage.read((tx) => work(wrapTransaction(tx)))
  return { storage: { ...storage, read }, callCount: () => count }
}

function valuesOf(view: {
  readonly custom_fields: readonly { readonly key: string; readonly value: unknown }[]
}) {
  return Object.fromEntries(view.custom_fields.map(({ key, value }) => [key, value]))
}

test('values are returned with their fields, in order of the fields’ creation, also in lists', async () => {
  const { crm, owner, field } = await withFields()
  const color = await field('color', 'multi_select', { value: OPTIONS })
  const cpf = await field('cpf', 'cpf')
  await field('unset', 'text')
  const person = await crm.people.create(owner, {
    full_name: 'Ana',
    custom_fields: [
      { key: 'CPF', value: '529.982.247-25' },
      { key: 'color', value: ['BLUE', 'red'] },
    ],
  })
  expect(person.custom_fields).toEqual([
    { id: color.id, key: 'color', label: 'COLOR', type: 'multi_select', value: ['blue', 'red'] },
    { id: cpf.id, key: 'cpf', label: 'CPF', type: 'cpf', value: '52998224725' },
  ])
  expect((await crm.people.list(owner)).data[0]!.custom_fields).toEqual(person.custom_fields)
})

test('a page of fifty people with twenty values each takes one additional query', async () => {
  const { storage, callCount } = countCalls(memoryStorage())
  const { crm, owner, field } = await withFields({ storage })
  const keys = Array.from({ length: 20 }, (_, index) => `f${index}`)
  for (const key of keys) await field(key, 'text')
  for (let index = 0; index < 50; index += 1) await crm.people.create(owner, { full_name: 'Ana' })
  const listPeople = async () => {
    const before = callCount()
    const { data } = await crm.people.list(owner)
    return {
      values: data.flatMap(({ custom_fields }) => custom_fields).length,
      queries: callCount() - before,
    }
  }
  const baseline = await listPeople()
  for (const { id } of (await crm.people.list(owner)).data) {
    await crm.people.update(owner, id, { custom_fields: keys.map((key) => ({ key, value: 'x' })) })
  }
  expect(await listPeople()).toEqual({ values: 1000, queries: baseline.queries + 1 })
})

test('a PATCH merges values by key, and null clears a value', async () => {
  const { crm, owner, field } = await withFields()
  for (const key of ['a', 'b', 'c']) await field(key, 'text')
  const { id } = await crm.people.create(owner, {
    full_name: 'Ana',
    custom_fields: [
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ],
  })
  const patch = async (custom_fields: readonly Entry[]) =>
    valuesOf(await crm.people.update(owner, id, { custom_fields }))
  expect(
    await patch([
      { key: 'b', value: '3' },
      { key: 'c', value: '4' },
    ]),
  ).toEqual({ a: '1', b: '3', c: '4' })
  expect(await patch([{ key: 'a', value: null }])).toEqual({ b: '3', c: '4' })
  expect(await patch([{ key: 'b', value: '  ' }])).toEqual({ c: '4' })
  expect(await patch([])).toEqual({ c: '4' })
})

test('successive PATCHes have the effect of the same changes to a map', async () => {
  const keys = ['a', 'b', 'constructor', '0']
  const change = fc.uniqueArray(
    fc.record({ key: fc.constantFrom(...keys), value: fc.option(fc.stringMatching(/^[a-z]{1,5}$/)) }),
    {
      selector: ({ key }) => key,
    },
  )
  const { crm, owner, field } = await withFields()
  for (const key of keys) await field(key, 'text')
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
      const { id } = await crm.people.create(owner, { full_name: 'Ana' })
      const expected = new Map<string, string>()
      for (const custom_fields of changes) {
        for (const { key, value } of custom_fields)
          value === null ? expected.delete(key) : expected.set(key, value)
        await crm.people.update(owner, id, { custom_fields })
      }
      expect(valuesOf(await crm.people.get(owner, id))).toEqual(Object.fromEntries(expected))
    }),
    { numRuns: 40 },
  )
})

describe('a custom value', () => {
  test('is rejected under its key if it breaks the rule of its type, together with all others', async () => {
    const { crm, owner, field } = await withFields()
    await field('cpf', 'cpf')
    await field('color', 'select', { value: OPTIONS })
    await field('home', 'address')
    const custom_fields = [
      { key: 'cpf', value: '529.982.247-24' },
      { key: 'color', value: 'green' },
      { key: 'home', value: { city: 'x'.repeat(256), planet: 'Mars' } },
      { key: 'nothing', value: 1 },
    ]
    expect(
      await catchFieldErrors(crm.people.create(owner, { full_name: 'Ana', tags: ['hot'], custom_fields })),
    ).toEqual({
      'tags[0]': 'Tag not found.',
      'custom_fields.cpf': 'Must be a CPF with valid check digits, such as 123.456.789-09.',
      'custom_fields.color': 'Must be the key of one of the options.',
      'custom_fields.home.city': 'Must be at most 255 characters.',
      'custom_fields.home.planet': 'Unknown field.',
      'custom_fields.nothing': 'Custom field not found.',
    })
  })

  test('is rejected under its key if its field is deleted, foreign or not shown for the kind', async () => {
    const { crm, owner, otherOwner, field } = await withFields()
    const deletedField = await field('gone', 'text')
    await crm.customFields.remove(owner, deletedField.id)
    await field('for_deals', 'text', { show_deals: true, show_people: false })
    await crm.customFields.create(otherOwner, { label: 'Theirs', key: 'theirs', type: 'text' })
    const custom_fields = ['gone', 'for_deals', 'theirs', '__proto__'].map((key) => ({ key, value: 'x' }))
    expect(await catchFieldErrors(crm.people.create(owner, { full_name: 'Ana', custom_fields }))).toEqual({
      'custom_fields.gone': 'Custom field not found.',
      'custom_fields.for_deals': 'Custom field not found.',
      'custom_fields.theirs': 'Custom field not found.',
      'custom_fields.__proto__': 'Custom field not found.',
    })
  })

  test('is rejected if it is sent twice or not as a key and a value', async () => {
    const { crm, owner, field } = await withFields()
    await field('a', 'text')
    const repeatedValues = [
      { key: 'a', value: '1' },
      { key: 'A', value: '2' },
    ]
    expect(
      await catchFieldErrors(crm.people.create(owner, { full_name: 'Ana', custom_fields: repeatedValues })),
    ).toEqual({
      'custom_fields.a': 'Must be sent only once.',
    })
    const malformedValues = [
      { key: 'a' },
      { value: 1 },
      { key: 1, value: 1 },
      'a',
      { key: 'a', value: 1, id: 'x' },
    ]
    expect(
      await catchFieldErrors(
        crm.people.create(owner, { full_name: 'Ana', custom_fields: malformedValues as never }),
      ),
    ).toEqual({
      'custom_fields[0].value': 'Required.',
      'custom_fields[1].key': 'Required.',
      'custom_fields[2].key': 'Must be a string.',
      'custom_fields[3]': 'Must be an object.',
      'custom_fields[4].id': 'Unknown field.',
    })
    expect(
      await catchFieldErrors(
        crm.people.create(owner, { full_name: 'Ana', custom_fields: { a: 1 } as never }),
      ),
    ).toEqual({
      custom_fields: 'Must be an array.',
    })
  })
})

describe('the values of one record', () => {
  test('have at most fifty thousand characters together', async () => {
    const { crm, owner, field } = await withFields()
    const keys = Array.from({ length: 5 }, (_, index) => `f${index}`)
    for (const key of keys) await field(key, 'long_text')
    const fill = (fieldKeys: string[], length: number) =>
      fieldKeys.map((key) => ({ key, value: 'x'.repeat(length) }))
    const { id } = await crm.people.create(owner, {
      full_name: 'Ana',
      custom_fields: fill(keys.slice(0, 4), 10_000),
    })
    expect(
      await catchFieldErrors(crm.people.update(owner, id, { custom_fields: fill(['f4'], 10_000) })),
    ).toEqual({
      custom_fields: 'Must have at most 50000 characters together.',
    })
    await crm.people.update(owner, id, { custom_fields: fill(['f4'], 5_000) })
  })

  test('are not counted if their field is deleted', async () => {
    const { crm, owner, field } = await withFields()
    const ids: string[] = []
    for (let index = 0; index < 4; index += 1) ids.push((await field(`f${index}`, 'long_text')).id)
    const custom_fields = ids.map((_, index) => ({ key: `f${index}`, value: 'x'.repeat(10_000) }))
    const { id } = await crm.people.create(owner, { full_name: 'Ana', custom_fields })
    for (const fieldId of ids) await crm.customFields.remove(owner, fieldId)
    for (const key of ['a', 'b']) await field(key, 'long_text')
    const newValues = ['a', 'b'].map((key) => ({ key, value: 'y'.repeat(10_000) }))
    expect(Object.keys(valuesOf(await crm.people.update(owner, id, { custom_fields: newValues })))).toEqual([
      'a',
      'b',
    ])
  })

  test('have at most a thousand options together', async () => {
    const { crm, owner, field } = await withFields()
    const select_list = Array.from({ length: 200 }, (_, index) => ({ key: `o${index}`, option: 'O' }))
    const keys = Array.from({ length: 6 }, (_, index) => `f${index}`)
    for (const key of keys) await field(key, 'multi_select', { value: { select_list } })
    const all = (key: string) => ({ key, value: select_list.map((option) => option.key) })
    const { id } = await crm.people.create(owner, {
      full_name: 'Ana',
      custom_fields: keys.slice(0, 5).map(all),
    })
    expect(
      await catchFieldErrors(crm.people.update(owner, id, { custom_fields: [{ key: 'f5', value: ['o0'] }] })),
    ).toEqual({
      custom_fields: 'Must hold at most 1000 options together.',
    })
  })
})

describe('a value that was stored under an older rule', () => {
  const OLD_NUMBER = Number('123456789012345678')
  const OLD_LINK = 'https://a.co:0/'

  async function withOldValues() {
    const base = await withFields()
    const { crm, owner, storage, field } = base
    const number = await field('number', 'number')
    const link = await field('link', 'link')
    const { id } = await crm.people.create(owner, { full_name: 'Ana' })
    await storage.transact(async (tx) => {
      const { people } = tx.workspace(owner.workspaceId)
      const custom_values = { [number.id]: OLD_NUMBER, [link.id]: OLD_LINK }
      await people.update({ ...(await people.get(id))!, custom_values })
    })
    return { ...base, id }
  }

  test('is read, and can be sent back unchanged', async () => {
    const { crm, owner, id } = await withOldValues()
    const { custom_fields } = await crm.people.get(owner, id)
    const sent = custom_fields.map(({ key, value }) => ({ key, value }))
    expect(sent).toEqual([
      { key: 'number', value: OLD_NUMBER },
      { key: 'link', value: OLD_LINK },
    ])
    const changes = { custom_fields: sent, full_name: 'Bea' }
    expect(valuesOf(await crm.people.update(owner, id, changes))).toEqual({
      number: OLD_NUMBER,
      link: OLD_LINK,
    })
  })

  test('is validated again once it changes', async () => {
    const { crm, owner, id } = await withOldValues()
    const custom_fields = [
      { key: 'number', value: Number('223456789012345678') },
      { key: 'link', value: 'https://b.co:0/' },
    ]
    expect(await catchFieldErrors(crm.people.update(owner, id, { custom_fields }))).toEqual({
      'custom_fields.number': 'Must be between -9007199254740991 and 9007199254740991.',
      'custom_fields.link': 'Must be an http or https URL.',
    })
  })
})

describe('a required field', () => {
  test('must be set on a new record of each kind it is shown for, and cannot be cleared', async () => {
    const { crm, owner, field } = await withFields()
    await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
    await field('a', 'text', { required: true, show_companies: false, show_deals: true })
    const missing = { 'custom_fields.a': 'Required.' }
    expect(await catchFieldErrors(crm.people.create(owner, { full_name: 'Ana' }))).toEqual(missing)
    expect(
      await catchFieldErrors(
        crm.people.create(owner, { full_name: 'Ana', custom_fields: [{ key: 'a', value: ' ' }] }),
      ),
    ).toEqual(missing)
    expect(
      await catchFieldErrors(
        crm.deals.create(owner, { name: 'Big', custom_fields: [{ key: 'a', value: null }] }),
      ),
    ).toEqual(missing)
    await crm.companies.create(owner, { full_name: 'Acme' })
    const { id } = await crm.people.create(owner, {
      full_name: 'Ana',
      custom_fields: [{ key: 'a', value: '1' }],
    })
    expect(
      await catchFieldErrors(crm.people.update(owner, id, { custom_fields: [{ key: 'a', value: null }] })),
    ).toEqual(missing)
    expect(valuesOf(await crm.people.update(owner, id, { full_name: 'Bea' }))).toEqual({ a: '1' })
  })

  test('that becomes required later does not affect updates of existing records without it', async () => {
    const { crm, owner, field } = await withFields()
    const { id } = await field('a', 'text')
    const ana = await crm.people.create(owner, { full_name: 'Ana' })
    await crm.customFields.update(owner, id, { required: true })
    expect((await crm.people.update(owner, ana.id, { score: 1, custom_fields: [] })).score).toBe(1)
    expect(await catchFieldErrors(crm.people.create(owner, { full_name: 'Bea' }))).toEqual({
      'custom_fields.a': 'Required.',
    })
  })
})

describe('the values of a field', () => {
  test('are hidden after it is deleted, also by a new field with its key', async () => {
    const { crm, owner, field } = await withFields()
    const { id } = await field('a', 'text')
    const ana = await crm.people.create(owner, {
      full_name: 'Ana',
      custom_fields: [{ key: 'a', value: '1' }],
    })
    await crm.customFields.remove(owner, id)
    expect(valuesOf(await crm.people.get(owner, ana.id))).toEqual({})
    await field('a', 'text')
    expect(valuesOf(await crm.people.get(owner, ana.id))).toEqual({})
  })

  test('are hidden while it is not shown for the kind of record', async () => {
    const { crm, owner, field } = await withFields()
    const { id } = await field('a', 'text')
    const ana = await crm.people.create(owner, {
      full_name: 'Ana',
      custom_fields: [{ key: 'a', value: '1' }],
    })
    await crm.customFields.update(owner, id, { show_people: false })
    expect(valuesOf(await crm.people.get(owner, ana.id))).toEqual({})
    await crm.customFields.update(owner, id, { show_people: true })
    expect(valuesOf(await crm.people.get(owner, ana.id))).toEqual({ a: '1' })
  })
})

describe('an option', () => {
  const optionsWithout = (key: string) => ({
    value: { select_list: OPTIONS.select_list.filter((option) => option.key !== key) },
  })
  const inUse = (rule: string) => ({
    code: 'conflict',
    message: 'A record with this value already exists.',
    fields: { value: rule },
  })

  async function withColor(type: 'select' | 'multi_select') {
    const base = await withFields()
    const { crm, owner, field } = base
    await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
    const { id } = await field('color', type, { value: OPTIONS, show_deals: true })
    const value = type === 'select' ? 'red' : ['red']
    return { ...base, id, custom_fields: [{ key: 'color', value }] }
  }

  const creators: readonly [
    string,
    (base: TestCrm, custom_fields: readonly Entry[]) => Promise<{ id: string }>,
  ][] = [
    [
      'people',
      ({ crm, owner }, custom_fields) => crm.people.create(owner, { full_name: 'A', custom_fields }),
    ],
    [
      'companies',
      ({ crm, owner }, custom_fields) => crm.companies.create(owner, { full_name: 'A', custom_fields }),
    ],
    ['deals', ({ crm, owner }, custom_fields) => crm.deals.create(owner, { name: 'A', custom_fields })],
  ]

  test.each(creators)('that %s select cannot be removed until none selects it', async (kind, create) => {
    for (const type of ['select', 'multi_select'] as const) {
      const base = await withColor(type)
      const { crm, owner, id, custom_fields } = base
      const api = crm[kind as 'people']
      const record = await create(base, custom_fields)
      expect(await catchRejection(crm.customFields.update(owner, id, optionsWithout('red')))).toEqual(
        inUse('1 record holds the option "red". Change it first.'),
      )
      expect((await crm.customFields.update(owner, id, optionsWithout('blue'))).value).toEqual(
        optionsWithout('blue').value,
      )
      await crm.customFields.update(owner, id, { value: OPTIONS })
      await api.update(owner, record.id, { custom_fields: [{ key: 'color', value: null }] })
      await crm.customFields.update(owner, id, optionsWithout('red'))
      expect(await catchFieldErrors(create(base, custom_fields))).toEqual({
        [type === 'select' ? 'custom_fields.color' : 'custom_fields.color[0]']:
          'Must be the key of one of the options.',
      })
    }
  })

  test('that people, companies and deals select is refused with their number', async () => {
    const base = await withColor('multi_select')
    const { crm, owner, id, custom_fields } = base
    for (const [, create] of creators) await create(base, custom_fields)
    const other = { value: { select_list: [{ key: 'green', option: 'Green' }] } }
    expect(await catchRejection(crm.customFields.update(owner, id, other))).toEqual(
      inUse('3 records hold the option "red". Change them first.'),
    )
  })

  test('that only a deleted record selects can be removed', async () => {
    const base = await withColor('select')
    const { crm, owner, id, custom_fields } = base
    const { id: person } = await crm.people.create(owner, { full_name: 'A', custom_fields })
    await crm.people.remove(owner, person)
    expect((await crm.customFields.update(owner, id, optionsWithout('red'))).value?.select_list).toHaveLength(
      1,
    )
  })

  test('can be renamed and moved while a record selects it', async () => {
    const base = await withColor('select')
    const { crm, owner, id, custom_fields } = base
    const person = await crm.people.create(owner, { full_name: 'A', custom_fields })
    const newOptions = {
      select_list: [
        { key: 'blue', option: 'Azul' },
        { key: 'red', option: 'Vermelho' },
      ],
    }
    expect((await crm.customFields.update(owner, id, { value: newOptions })).value).toEqual(newOptions)
    expect(valuesOf(await crm.people.get(owner, person.id))).toEqual({ color: 'red' })
  })

  test('whose key is a prefix of another is distinguished from it', async () => {
    const { crm, owner, field } = await withFields()
    const list = (...keys: string[]) => ({ select_list: keys.map((key) => ({ key, option: key })) })
    const { id } = await field('size', 'select', { value: list('x', 'x_l') })
    await crm.people.create(owner, { full_name: 'A', custom_fields: [{ key: 'size', value: 'x_l' }] })
    expect((await crm.customFields.update(owner, id, { value: list('x_l') })).value).toEqual(list('x_l'))
  })

  test('can be removed only by an actor who may update custom fields', async () => {
    const { crm, owner, ann, id, custom_fields } = await withColor('select')
    await crm.people.create(owner, { full_name: 'A', custom_fields })
    expect(await catchRejection(crm.customFields.update(ann, id, optionsWithout('red')))).toEqual({
      code: 'forbidden',
      message: 'You do not have permission to update this custom field.',
    })
  })
})
