import { expect, test } from 'vitest'
import { rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace, type Workspace } from '../support/test-service.ts'

const NAMES = [
  'João Araújo',
  'Strauß GmbH',
  'İstanbul Işık',
  'Łukasz Żółć',
  'Ørsted & Æbelø',
  'Ελένη Παπαδοπούλου Ωμέγας',
  'Анна Ёлкина',
  '山田太郎',
  '김철수',
  'محمد الفاتح',
  "O'Brien-Smith",
  'Ann_Lee 100%',
  'ﬁne Ⅷ Ａｃｍｅ',
  'e\u0301clair',
]

/** A search and the names it finds. */
const MATCHES: readonly (readonly [string, readonly string[]])[] = [
  ['joao', ['João Araújo']],
  ['JOÃO ARAÚJO', ['João Araújo']],
  ['arau jo', ['João Araújo']],
  ['ao', []],
  ['strauss', ['Strauß GmbH']],
  ['STRAUẞ', ['Strauß GmbH']],
  ['gmbh strau', ['Strauß GmbH']],
  ['istanbul', ['İstanbul Işık']],
  ['ISTANBUL', ['İstanbul Işık']],
  ['işik', ['İstanbul Işık']],
  ['lukasz zolc', ['Łukasz Żółć']],
  ['orsted', ['Ørsted & Æbelø']],
  ['aebel', ['Ørsted & Æbelø']],
  ['ΕΛΕΝΗ', ['Ελένη Παπαδοπούλου Ωμέγας']],
  ['ωμεγασ', ['Ελένη Παπαδοπούλου Ωμέγας']],
  ['анна елкина', ['Анна Ёлкина']],
  ['山田', ['山田太郎']],
  ['太郎', []],
  ['김', ['김철수']],
  ['الفاتح', ['محمد الفاتح']],
  ['brien', ["O'Brien-Smith"]],
  ["o'brien", ["O'Brien-Smith"]],
  ['obrien', ["O'Brien-Smith"]],
  ['o’bri', ["O'Brien-Smith"]],
  ['lee', ['Ann_Lee 100%']],
  ['100%', ['Ann_Lee 100%']],
  ['ann_', ['Ann_Lee 100%']],
  ['fine viii acme', ['ﬁne Ⅷ Ａｃｍｅ']],
  ['éclair', ['e\u0301clair']],
  ['ECLAIR', ['e\u0301clair']],
  ['a%', ['Ann_Lee 100%', 'João Araújo', 'Ørsted & Æbelø', 'ﬁne Ⅷ Ａｃｍｅ']],
]

const INVALID: readonly (readonly [string, string])[] = [
  ['', 'Required.'],
  ['%20', 'Required.'],
  ['%25', 'Must hold a letter or a digit.'],
  ['_', 'Must hold a letter or a digit.'],
  ['%5C', 'Must hold a letter or a digit.'],
  ["'%22--;*:|%26!()", 'Must hold a letter or a digit.'],
  ['%FF', 'Must be percent-encoded UTF-8.'],
  ['%F0%9F%98%80', 'Must hold a letter or a digit.'],
  ['%00', 'Must not contain control characters.'],
  ['a%00', 'Must not contain control characters.'],
  ['a'.repeat(201), 'Must be between 1 and 200 characters.'],
  [Array.from({ length: 13 }, (_, index) => 100 + index).join('+'), 'Must have at most 12 words.'],
]

async function listNames(acme: Workspace, path: string): Promise<unknown[]> {
  return rowsOf(await acme.call('GET', path))
    .map(({ full_name, name }) => full_name ?? name)
    .toSorted()
}

describeEachStore('a search', (open) => {
  async function openAcme() {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    return acme
  }

  test.each([
    ['people', 'full_name', {}],
    ['companies', 'full_name', {}],
    ['deals', 'name', {}],
    ['products', 'name', { currency: 'BRL' }],
  ])('of %s matches the beginnings of words, ignoring case and accents', async (kind, field, body) => {
    const acme = await openAcme()
    for (const name of NAMES) await acme.createRecord(`/v1/${kind}`, { ...body, [field]: name })
    for (const [search, names] of MATCHES) {
      expect([search, await listNames(acme, `/v1/${kind}?search=${encodeURIComponent(search)}`)]).toEqual([
        search,
        names.toSorted(),
      ])
    }
    for (const [search, message] of INVALID) {
      const response = await acme.call('GET', `/v1/${kind}?search=${search}`)
      expect([search, response.status, errorOf(response)['fields']]).toEqual([
        search,
        422,
        { search: message },
      ])
    }
  })

  test('finds people by e-mail and phone number, and products by code', async () => {
    const acme = await openAcme()
    const emails = [{ email: 'ana.silva+crm@example.com.br' }, { email: 'ANA@home.example' }]
    await acme.createRecord('/v1/people', {
      full_name: 'Ana',
      emails,
      phones: [{ phone: '+55 (11) 98765-4321' }, { phone: '0800.123' }],
    })
    await acme.createRecord('/v1/people', { full_name: 'Bia', phones: [{ phone: '+55 21 98765-0000' }] })
    await acme.createRecord('/v1/products', { name: 'Chair', currency: 'BRL', code: 'SKU-Ç/42' })
    const searchPeople = async (search: string) =>
      (await listNames(acme, `/v1/people?search=${encodeURIComponent(search)}`)).join()
    for (const [search, names] of [
      ['silva', 'Ana'],
      ['crm@example.com', 'Ana'],
      ['home', 'Ana'],
      ['5511', 'Ana'],
      ['11987654321', 'Ana'],
      ['98765', 'Ana,Bia'],
      ['4321', 'Ana'],
      ['0800123', 'Ana'],
      ['7654', ''],
      ['ana bia', ''],
    ] as const)
      expect([search, await searchPeople(search)]).toEqual([search, names])
    for (const search of ['sku', 'c/42', '42 chair'])
      expect(await listNames(acme, `/v1/products?search=${encodeURIComponent(search)}`)).toEqual(['Chair'])
  })

  test('finds updated values and no deleted records', async () => {
    const acme = await openAcme()
    const { id } = await acme.createRecord('/v1/people', {
      full_name: 'Ana Souza',
      emails: [{ email: 'old@x.example' }],
    })
    await acme.call('PATCH', `/v1/people/${id}`, { full_name: 'Ana Lima', emails: null })
    expect(await listNames(acme, '/v1/people?search=souza')).toEqual([])
    expect(await listNames(acme, '/v1/people?search=old')).toEqual([])
    expect(await listNames(acme, '/v1/people?search=lima')).toEqual(['Ana Lima'])
    await acme.call('DELETE', `/v1/people/${id}`)
    expect(await listNames(acme, '/v1/people?search=lima')).toEqual([])
  })

  test('never matches tags, lists or options, and combines with filters', async () => {
    const acme = await openAcme()
    const select_list = [{ key: 'red', option: 'Red' }]
    const { id: fieldId } = await acme.createRecord('/v1/custom-fields', {
      label: 'Color',
      key: 'color',
      type: 'select',
      value: { select_list },
    })
    const { id: tagId } = await acme.createRecord('/v1/tags', { name: 'Hot' })
    const { id: listId } = await acme.createRecord('/v1/lists', { name: 'Fair' })
    const labels = { tags: ['hot'], lists: [listId], custom_fields: [{ key: 'color', value: 'red' }] }
    for (const body of [
      { full_name: 'Ana', ...labels },
      { full_name: 'Bia', tags: ['hot'] },
      { full_name: 'Caio', lists: [listId] },
    ])
      await acme.createRecord('/v1/people', body)
    const withoutDashes = (id: string) => id.replaceAll('-', '')
    const facets = [
      `_tag_${withoutDashes(tagId)}`,
      `tag`,
      withoutDashes(tagId),
      tagId,
      `_list_${withoutDashes(listId)}`,
      listId,
      'red',
      `_option_${withoutDashes(fieldId)}_red`,
      'option',
    ]
    for (const search of facets)
      expect([search, await listNames(acme, `/v1/people?search=${search}`)]).toEqual([search, []])
    for (const [query, names] of [
      ['tag=hot', ['Ana', 'Bia']],
      [`tag=${tagId.toUpperCase()}`, ['Ana', 'Bia']],
      [`list_id=${listId}`, ['Ana', 'Caio']],
      [`tag=hot&list_id=${listId}`, ['Ana']],
      [`tag=hot&search=b`, ['Bia']],
      [`tag=_hot`, []],
      [`tag=h%25`, []],
    ] as const)
      expect([query, await listNames(acme, `/v1/people?${query}`)]).toEqual([query, names])
    expect((await acme.call('GET', `/v1/lists/${listId}`)).json).toMatchObject({ data: { records_count: 2 } })
    await acme.call('DELETE', `/v1/tags/hot`)
    await acme.call('DELETE', `/v1/lists/${listId}`)
    for (const query of ['tag=hot', `tag=${tagId}`, `list_id=${listId}`])
      expect(await listNames(acme, `/v1/people?${query}`)).toEqual([])
  })
})
