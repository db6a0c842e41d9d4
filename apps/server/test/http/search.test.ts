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

/** What is looked for, in any letters, and who is found. */
const FOUND: readonly (readonly [string, readonly string[]])[] = [
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
  ['obrien', []],
  ['lee', ['Ann_Lee 100%']],
  ['100%', ['Ann_Lee 100%']],
  ['ann_', ['Ann_Lee 100%']],
  ['fine viii acme', ['ﬁne Ⅷ Ａｃｍｅ']],
  ['éclair', ['e\u0301clair']],
  ['ECLAIR', ['e\u0301clair']],
  ['a%', ['Ann_Lee 100%', 'João Araújo', 'Ørsted & Æbelø', 'ﬁne Ⅷ Ａｃｍｅ']],
]

const REFUSED: readonly (readonly [string, string])[] = [
  ['', 'Required.'],
  ['%20', 'Required.'],
  ['%25', 'Must hold a letter or a digit.'],
  ['_', 'Must hold a letter or a digit.'],
  ['%5C', 'Must hold a letter or a digit.'],
  ["'%22--;*:|%26!()", 'Must hold a letter or a digit.'],
  ['%FF', 'Must hold a letter or a digit.'],
  ['%F0%9F%98%80', 'Must hold a letter or a digit.'],
  ['%00', 'Must not contain control characters.'],
  ['a%00', 'Must not contain control characters.'],
  ['a'.repeat(201), 'Must be between 1 and 200 characters.'],
  [Array.from({ length: 41 }, (_, index) => 100 + index).join('+'), 'Must have at most 40 words.'],
]

async function names(acme: Workspace, path: string): Promise<unknown[]> {
  return rowsOf(await acme.call('GET', path))
    .map(({ full_name, name }) => full_name ?? name)
    .toSorted()
}

describeEachStore('a search', (open) => {
  async function prepared() {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    return acme
  }

  test.each([
    ['people', 'full_name', {}],
    ['companies', 'full_name', {}],
    ['deals', 'name', {}],
    ['products', 'name', { currency: 'BRL' }],
  ])('of %s finds the beginnings of words, whatever their case and accents', async (kind, field, body) => {
    const acme = await prepared()
    for (const name of NAMES) await acme.createRecord(`/v1/${kind}`, { ...body, [field]: name })
    for (const [search, found] of FOUND) {
      expect([search, await names(acme, `/v1/${kind}?search=${encodeURIComponent(search)}`)]).toEqual([
        search,
        found.toSorted(),
      ])
    }
    for (const [search, message] of REFUSED) {
      const answer = await acme.call('GET', `/v1/${kind}?search=${search}`)
      expect([search, answer.status, errorOf(answer)['fields']]).toEqual([search, 422, { search: message }])
    }
  })

  test('finds people by their e-mails and phone numbers, and products by their codes', async () => {
    const acme = await prepared()
    const emails = [{ email: 'ana.silva+crm@example.com.br' }, { email: 'ANA@home.example' }]
    await acme.createRecord('/v1/people', {
      full_name: 'Ana',
      emails,
      phones: [{ phone: '+55 (11) 98765-4321' }, { phone: '0800.123' }],
    })
    await acme.createRecord('/v1/people', { full_name: 'Bia', phones: [{ phone: '+55 21 98765-0000' }] })
    await acme.createRecord('/v1/products', { name: 'Chair', currency: 'BRL', code: 'SKU-Ç/42' })
    const found = async (search: string) =>
      (await names(acme, `/v1/people?search=${encodeURIComponent(search)}`)).join()
    for (const [search, who] of [
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
      expect([search, await found(search)]).toEqual([search, who])
    for (const search of ['sku', 'c/42', '42 chair'])
      expect(await names(acme, `/v1/products?search=${encodeURIComponent(search)}`)).toEqual(['Chair'])
  })

  test('follows what is changed, and forgets what is deleted', async () => {
    const acme = await prepared()
    const { id } = await acme.createRecord('/v1/people', {
      full_name: 'Ana Souza',
      emails: [{ email: 'old@x.example' }],
    })
    await acme.call('PATCH', `/v1/people/${id}`, { full_name: 'Ana Lima', emails: null })
    expect(await names(acme, '/v1/people?search=souza')).toEqual([])
    expect(await names(acme, '/v1/people?search=old')).toEqual([])
    expect(await names(acme, '/v1/people?search=lima')).toEqual(['Ana Lima'])
    await acme.call('DELETE', `/v1/people/${id}`)
    expect(await names(acme, '/v1/people?search=lima')).toEqual([])
  })

  test('comes upon no tag, list or option, and filters hold together with it', async () => {
    const acme = await prepared()
    const select_list = [{ key: 'red', option: 'Red' }]
    const { id: field } = await acme.createRecord('/v1/custom-fields', {
      label: 'Color',
      key: 'color',
      type: 'select',
      value: { select_list },
    })
    const { id: tag } = await acme.createRecord('/v1/tags', { name: 'Hot' })
    const { id: list } = await acme.createRecord('/v1/lists', { name: 'Fair' })
    const labels = { tags: ['hot'], lists: [list], custom_fields: [{ key: 'color', value: 'red' }] }
    for (const body of [
      { full_name: 'Ana', ...labels },
      { full_name: 'Bia', tags: ['hot'] },
      { full_name: 'Caio', lists: [list] },
    ])
      await acme.createRecord('/v1/people', body)
    const plain = (id: string) => id.replaceAll('-', '')
    const marks = [
      `_tag_${plain(tag)}`,
      `tag`,
      plain(tag),
      tag,
      `_list_${plain(list)}`,
      list,
      'red',
      `_option_${plain(field)}_red`,
      'option',
    ]
    for (const search of marks)
      expect([search, await names(acme, `/v1/people?search=${search}`)]).toEqual([search, []])
    for (const [query, found] of [
      ['tag=hot', ['Ana', 'Bia']],
      [`tag=${tag.toUpperCase()}`, ['Ana', 'Bia']],
      [`list_id=${list}`, ['Ana', 'Caio']],
      [`tag=hot&list_id=${list}`, ['Ana']],
      [`tag=hot&search=b`, ['Bia']],
      [`tag=_hot`, []],
      [`tag=h%25`, []],
    ] as const)
      expect([query, await names(acme, `/v1/people?${query}`)]).toEqual([query, found])
    expect((await acme.call('GET', `/v1/lists/${list}`)).json).toMatchObject({ data: { records_count: 2 } })
    await acme.call('DELETE', `/v1/tags/hot`)
    await acme.call('DELETE', `/v1/lists/${list}`)
    for (const query of ['tag=hot', `tag=${tag}`, `list_id=${list}`])
      expect(await names(acme, `/v1/people?${query}`)).toEqual([])
  })
})
