import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace, type Workspace } from '../support/test-service.ts'

const UNLIMITED = { GET: 0, POST: 0, PATCH: 0, DELETE: 0 }
const MIN = { people: { full_name: 'a' }, companies: { full_name: 'a' }, deals: { name: 'a' } }
const valueCase = (key: string, value: unknown) => ({ full_name: 'a', custom_fields: [{ key, value }] })

/**
 * Text fields: kind, body with the text, path in errors, maximum in code points, single line or multiline.
 */
const TEXTS: readonly (readonly [string, (text: string) => object, string, number, 'line' | 'lines'])[] = [
  ['people', (text) => ({ full_name: text }), 'full_name', 70, 'line'],
  ['people', (text) => ({ ...MIN.people, position: text }), 'position', 120, 'line'],
  ['people', (text) => valueCase('short', text), 'custom_fields.short', 255, 'line'],
  ['people', (text) => valueCase('long', text), 'custom_fields.long', 10_000, 'lines'],
  ['people', (text) => valueCase('home', { city: text }), 'custom_fields.home.city', 255, 'line'],
  ['companies', (text) => ({ full_name: text }), 'full_name', 120, 'line'],
  ['deals', (text) => ({ name: text }), 'name', 120, 'line'],
  ['deals', (text) => ({ ...MIN.deals, source: text }), 'source', 80, 'line'],
  ['pipelines', (text) => ({ name: text, stages: [{ name: 'a' }] }), 'name', 80, 'line'],
  ['pipelines', (text) => ({ name: 'a', stages: [{ name: text }] }), 'stages[0].name', 80, 'line'],
  ['tasks', (text) => ({ title: text }), 'title', 200, 'line'],
  ['tasks', (text) => ({ title: 'a', notes: text }), 'notes', 3000, 'lines'],
  ['task-types', (text) => ({ title: text }), 'title', 60, 'line'],
  ['activities', (text) => ({ content_html: text }), 'content_html', 100_000, 'lines'],
  ['products', (text) => ({ name: text, currency: 'BRL' }), 'name', 80, 'line'],
  ['products', (text) => ({ name: 'a', currency: 'BRL', description: text }), 'description', 1000, 'lines'],
  ['products', (text) => ({ name: 'a', currency: 'BRL', code: text }), 'code', 60, 'line'],
  ['tags', (text) => ({ name: text }), 'name', 60, 'line'],
  ['lists', (text) => ({ name: text }), 'name', 80, 'line'],
  ['lists', (text) => ({ name: 'a', description: text }), 'description', 500, 'lines'],
  ['custom-fields', (text) => ({ label: text, key: 'k', type: 'text' }), 'label', 40, 'line'],
  [
    'custom-fields',
    (text) => ({
      label: 'a',
      key: 'l',
      type: 'select',
      value: { select_list: [{ key: 'a', option: text }] },
    }),
    'value.select_list[0].option',
    80,
    'line',
  ],
]

/** Number fields with their ranges. */
const NUMBERS: readonly (readonly [string, (value: string) => object, string, string])[] = [
  ['people', (value) => ({ ...MIN.people, score: value }), 'score', 'Must be an integer between 0 and 100.'],
  [
    'deals',
    (value) => ({ ...MIN.deals, amount: value }),
    'amount',
    'Must be an integer between 0 and 1000000000000000.',
  ],
  [
    'products',
    (value) => ({ name: 'a', currency: 'BRL', price_cts: value }),
    'price_cts',
    'Must be an integer between 0 and 1000000000000000.',
  ],
  [
    'pipelines',
    (value) => ({ name: 'a', stages: [{ name: 'a', probability: value }] }),
    'stages[0].probability',
    'Must be an integer between 0 and 100.',
  ],
]

describeEachStore('a hostile value', (open) => {
  async function setUp(): Promise<Workspace> {
    const acme = await openWorkspace(await openService(await open(), { limits: UNLIMITED }))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const fields = { short: 'text', long: 'long_text', home: 'address', size: 'number' }
    for (const [key, type] of Object.entries(fields))
      await acme.createRecord('/v1/custom-fields', { label: key, key, type })
    return acme
  }

  test('of text is stored at its maximum length and rejected with one code point more', async () => {
    const acme = await setUp()
    for (const [kind, bodyWith, field, max] of TEXTS) {
      const longest = '😀'.repeat(max)
      const created = dataOf(await acme.call('POST', `/v1/${kind}`, bodyWith(longest)))
      const getResponse = await acme.call('GET', `/v1/${kind}/${created['id']}`)
      expect([kind, field, getResponse.text.includes(`"${longest}"`)]).toEqual([kind, field, true])
      const errorResponse = await acme.call('POST', `/v1/${kind}`, bodyWith(`${longest}😀`))
      expect([kind, errorResponse.status, errorOf(errorResponse)['fields']]).toEqual([
        kind,
        422,
        {
          [field]: expect.stringMatching(
            new RegExp(`^Must be (at most|between 1 and) ${max} characters\\.$`),
          ),
        },
      ])
    }
  })

  test('of text that databases cannot store is 422 on its field', async () => {
    const acme = await setUp()
    for (const [kind, bodyWith, field, , lineKind] of TEXTS) {
      const control =
        lineKind === 'line' ? 'Must not contain control characters.' : 'Must not contain the null character.'
      for (const [text, message] of [
        ['a\ud800', 'Must be valid Unicode text.'],
        ['\udc00a', 'Must be valid Unicode text.'],
        ['\udc00\ud800', 'Must be valid Unicode text.'],
        ['a\0b', control],
        ...(lineKind === 'line' ? ([['a\u001bb', control]] as const) : []),
      ] as const) {
        const response = await acme.call('POST', `/v1/${kind}`, bodyWith(text))
        expect([kind, response.status, errorOf(response)['fields']]).toEqual([
          kind,
          422,
          { [field]: message },
        ])
      }
    }
  })

  test('of a number is exact or 422 on its field', async () => {
    const acme = await setUp()
    const post = (kind: string, body: object, number: string) =>
      acme.call('POST', `/v1/${kind}`, JSON.stringify(body).replace('"@"', number))
    for (const [kind, bodyWith, field, message] of NUMBERS) {
      for (const number of [
        '1e400',
        '-1e400',
        '-1',
        '0.5',
        '1000000000000000.4',
        '1000000000000001',
        '9007199254740993',
        '"1"',
        '[1]',
      ]) {
        const response = await post(kind, bodyWith('@'), number)
        expect([kind, number, response.status, errorOf(response)['fields']]).toEqual([
          kind,
          number,
          422,
          { [field]: message },
        ])
      }
      const zero = await post(kind, bodyWith('@'), '-0')
      expect([zero.status, zero.text.includes(':-0')]).toEqual([201, false])
    }
    const size = valueCase('size', '@')
    for (const number of ['1e400', '-1e400', '"1"', '[1]', 'true', '{}'])
      expect([number, errorOf(await post('people', size, number))['fields']]).toEqual([
        number,
        { 'custom_fields.size': 'Must be a finite number.' },
      ])
    for (const number of ['123456789012345678', '9007199254740993', '-9007199254740992', '1e21'])
      expect([number, errorOf(await post('people', size, number))['fields']]).toEqual([
        number,
        { 'custom_fields.size': 'Must be between -9007199254740991 and 9007199254740991.' },
      ])
    for (const [number, stored] of [
      ['-0', '0'],
      ['0.1', '0.1'],
      ['-1.5e-7', '-1.5e-7'],
      ['5e-324', '5e-324'],
      ['9007199254740991', '9007199254740991'],
    ] as const)
      expect((await post('people', size, number)).text).toContain(`"value":${stored}}`)
  })

  test('is stored at every maximum at once, and the record is found by its last search term', async () => {
    const acme = await setUp()
    const options = Array.from({ length: 200 }, (_, n) => ({ key: `o${n}`.padEnd(35, 'o'), option: `${n}` }))
    await acme.createRecord('/v1/custom-fields', {
      label: 'Many',
      key: 'many',
      type: 'multi_select',
      value: { select_list: options },
    })
    const [tags, lists]: [string[], string[]] = [[], []]
    for (let n = 0; n < 100; n += 1) {
      tags.push((await acme.createRecord('/v1/tags', { name: `Tag ${n}` })).id)
      lists.push((await acme.createRecord('/v1/lists', { name: `List ${n}` })).id)
    }
    const label = 'd'.repeat(60)
    const body = {
      full_name: Array.from({ length: 120 }, (_, n) => String.fromCodePoint(0x20000 + n)).join(''),
      emails: Array.from({ length: 20 }, (_, n) => ({
        email: `${'e'.repeat(60)}${n + 10}@${label}.${label}.${label}.example`,
      })),
      phones: Array.from({ length: 20 }, (_, n) => ({ phone: `${n + 10}-1-2-3-4-5-6-7-8-9-0-1-2-3` })),
      custom_fields: [
        { key: 'long', value: '\u{10ffff}'.repeat(10_000) },
        { key: 'many', value: options.map(({ key }) => key) },
      ],
      tags,
      lists,
    }
    const { id } = await acme.createRecord('/v1/companies', body)
    expect(dataOf(await acme.call('GET', `/v1/companies/${id}`))).toMatchObject({
      ...body,
      tags: tags.map((tag) => ({ id: tag })),
      lists: lists.map((list) => ({ id: list })),
    })
    for (const query of [
      `search=${'e'.repeat(60)}29`,
      'search=2912345678',
      `tag=${tags[99]}`,
      `list_id=${lists[99]}`,
      'search=%F0%A0%80%80',
    ])
      expect([query, (await acme.call('GET', `/v1/companies?${query}`)).json]).toMatchObject([
        query,
        { data: [{ id }] },
      ])
    const withoutLast = { value: { select_list: options.slice(0, 199) } }
    const fields = dataOf(await acme.call('GET', `/v1/companies/${id}`))['custom_fields'] as {
      key: string
      id: string
    }[]
    const manyField = fields.find(({ key }) => key === 'many')!
    expect((await acme.call('PATCH', `/v1/custom-fields/${manyField.id}`, withoutLast)).status).toBe(409)
    expect((await acme.call('DELETE', `/v1/companies/${id}`)).status).toBe(204)
    expect((await acme.call('PATCH', `/v1/custom-fields/${manyField.id}`, withoutLast)).status).toBe(200)
  })
})
