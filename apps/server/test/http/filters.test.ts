import { expect, test } from 'vitest'
import { rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const TREE = {
  and: [
    { field: 'score', op: 'between', value: [10, 50] },
    {
      or: [
        { field: 'company.full_name', op: 'contains', value: 'sao' },
        { field: 'custom_fields.size', op: 'greater', value: 2.5 },
        { field: 'tags', op: 'all_of', value: ['vip', 'hot'] },
      ],
    },
  ],
}

/** People of whom Ana, Bia and Caio match by one alternative each. */
async function openFilteredWorkspace(...[storage]: Parameters<typeof openService>) {
  const acme = await openWorkspace(await openService(storage))
  for (const key of ['vip', 'hot']) await acme.createRecord('/v1/tags', { name: key, key })
  await acme.createRecord('/v1/custom-fields', {
    label: 'Size',
    key: 'size',
    type: 'number',
    show_people: true,
  })
  const { id: company_id } = await acme.createRecord('/v1/companies', { full_name: 'Aço São Paulo' })
  const sized = (value: number) => ({ custom_fields: [{ key: 'size', value }] })
  for (const person of [
    { full_name: 'Ana', score: 10, company_id, phones: [{ phone: '+55 11 91234-5678' }] },
    {
      full_name: 'Bia',
      score: 50,
      ...sized(3),
      emails: [{ email: 'x@y.example' }, { email: 'bia@aco.example' }],
    },
    { full_name: 'Caio', score: 30, tags: ['vip', 'hot'] },
    { full_name: 'Davi', score: 9, company_id, ...sized(3) },
    { full_name: 'Eva', score: 20, tags: ['vip'], ...sized(2.5) },
  ])
    await acme.createRecord('/v1/people', person)
  return acme
}

describeEachStore('the filter of a list', (open) => {
  test('compares any field, in lists and exports, page by page', async () => {
    const acme = await openFilteredWorkspace(await open())
    const filter = encodeURIComponent(JSON.stringify(TREE))
    const names: unknown[] = []
    for (const page of [1, 2]) {
      const query = `per_page=2&page=${page}&order_by=full_name&order=asc&filter=${filter}`
      const response = await acme.call('GET', `/v1/people?${query}`)
      expect(response.json).toMatchObject({ meta: { total: 3, has_more: page === 1 } })
      names.push(...rowsOf(response).map(({ full_name }) => full_name))
    }
    expect(names).toEqual(['Ana', 'Bia', 'Caio'])
    const lines = await acme.call('GET', `/v1/people/export?format=ndjson&order=asc&filter=${filter}`)
    expect(lines.text.split('\n').filter(Boolean)).toHaveLength(3)
  })

  test('compares each address and number of a list', async () => {
    const acme = await openFilteredWorkspace(await open())
    await acme.call('PATCH', '/v1/workspace', { country: 'BR' })
    for (const [field, op, value, names] of [
      ['emails', 'contains', '@ACO.', ['Bia']],
      ['emails', 'begins_with', 'bia', ['Bia']],
      ['emails', 'is', 'X@y.example', ['Bia']],
      ['phones', 'is', '(11) 91234 5678', ['Ana']],
      ['phones', 'is_empty', undefined, ['Bia', 'Caio', 'Davi', 'Eva']],
    ] as const) {
      const body = { filter: { field, op, value }, order_by: 'full_name', order: 'asc' }
      const people = rowsOf(await acme.call('POST', '/v1/people/query', body))
      expect({ [`${field} ${op}`]: people.map(({ full_name }) => full_name) }).toEqual({
        [`${field} ${op}`]: names,
      })
    }
  })

  test('orders by two fields, custom ones included, and takes the query as a body', async () => {
    const acme = await openFilteredWorkspace(await open())
    const namesOf = (response: Parameters<typeof rowsOf>[0]) =>
      rowsOf(response).map(({ full_name }) => full_name)
    const order = { order_by: 'custom_fields.size,full_name', order: 'desc,asc' }
    const listed = await acme.call('GET', `/v1/people?${new URLSearchParams(order)}`)
    expect(namesOf(listed)).toEqual(['Bia', 'Davi', 'Eva', 'Ana', 'Caio'])
    const body = { filter: TREE, ...order, per_page: 2, page: 2 }
    const queried = await acme.call('POST', '/v1/people/query', body)
    expect([namesOf(queried), queried.json]).toMatchObject([['Caio'], { meta: { total: 3, page: 2 } }])
    const refused = await acme.call('POST', '/v1/people/query', { filter: 'x', pag: 1, order: 'up' })
    expect([refused.status, errorOf(refused)['fields']]).toEqual([
      422,
      {
        filter: 'Must be an object with `and`, `or`, or `field` and `op`.',
        pag: 'Unknown field. Did you mean "page"?',
        order: 'Must be one of: asc, desc.',
      },
    ])
  })

  test('is refused at the path of its part', async () => {
    const acme = await openFilteredWorkspace(await open())
    const wrong = { and: [TREE, { field: 'tags', op: 'contains', value: 'x' }, { field: 'scor', op: 'is' }] }
    const response = await acme.call('GET', `/v1/people?filter=${encodeURIComponent(JSON.stringify(wrong))}`)
    expect([response.status, errorOf(response)['fields']]).toEqual([
      422,
      {
        'filter.and[1].op': 'Must be one of: any_of, all_of, none_of, is_empty, is_not_empty.',
        'filter.and[2].field': 'Unknown field. Did you mean "score"?',
      },
    ])
    const broken = await acme.call('GET', '/v1/people?filter={')
    expect([broken.status, errorOf(broken)['fields']]).toEqual([422, { filter: 'Must be JSON.' }])
  })
})
