import { expect, test } from 'vitest'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const ALL_KINDS = 'kinds=people,companies,deals,products,tasks,activities'

describeEachStore('a search in what was written', (open) => {
  async function openAcme() {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    await acme.call('PATCH', '/v1/workspace', { country: 'BR' })
    const find = async (search: string, query = ALL_KINDS, token = acme.token) => {
      const path = `/v1/search?${query}&search=${encodeURIComponent(search)}`
      const results = dataOf(await acme.call('GET', path, undefined, { token }))
      const found = Object.entries(results) as [string, { total: number; records: { id: string }[] }][]
      for (const [, { total, records }] of found) expect(total).toBe(records.length)
      return found.flatMap(([, { records }]) => records.map(({ id }) => id))
    }
    return { ...acme, service, find }
  }

  test('finds tasks and activities, in lists and on request in the search of all kinds', async () => {
    const { call, createRecord, find, service } = await openAcme()
    const person = await createRecord('/v1/people', { full_name: 'Ana' })
    const task = await createRecord('/v1/tasks', { title: 'Ligar', notes: 'Orçamento\ndo telhado' })
    const note = await createRecord('/v1/activities', {
      ...{ entity: 'people', entity_id: person.id },
      content_html: '<p>Telh<b>ado</b> novo</p><script>telhado</script>',
    })
    const other = await createRecord('/v1/activities', { content_html: 'telhado &amp; calha' })
    expect(await find('TELHADO')).toEqual([task.id, other.id, note.id])
    expect(await find('orcamento lig')).toEqual([task.id])
    expect(await find('script')).toEqual([])
    expect(await find('telhado', 'limit=50')).toEqual([])
    expect(rowsOf(await call('GET', '/v1/tasks?search=telh&completed=false'))).toMatchObject([
      { id: task.id },
    ])
    expect(rowsOf(await call('POST', '/v1/tasks/query', { search: 'telh' }))).toMatchObject([{ id: task.id }])
    const ofPerson = `/v1/activities?entity=people&id=${person.id}`
    expect(rowsOf(await call('GET', `${ofPerson}&search=telhado`))).toMatchObject([{ id: note.id }])
    expect(rowsOf(await call('GET', `${ofPerson}&search=calha`))).toEqual([])
    expect((await call('GET', '/v1/tasks/export?search=telhado&format=ndjson')).text).toContain(task.id)
    const count = await call('GET', '/v1/reports/aggregate?entity=activities&metric=count&search=telhado')
    expect(dataOf(count)).toMatchObject({ groups: [{ count: 2 }] })
    const stranger = await openWorkspace(service, 'Other')
    expect(await find('telhado', ALL_KINDS, stranger.token)).toEqual([])
    await call('DELETE', `/v1/tasks/${task.id}`)
    await call('PATCH', `/v1/activities/${note.id}`, { content_html: 'x' })
    expect(await find('telhado')).toEqual([other.id])
  })

  test('finds records by their codes and phones, and deals by their company', async () => {
    const { call, createRecord, find } = await openAcme()
    const phones = [{ phone: '+5511988887777' }, { phone: '4321' }]
    const company = await createRecord('/v1/companies', { full_name: 'Pampa', phones })
    const deal = await createRecord('/v1/deals', { name: 'Licenças', company_id: company.id })
    const named = await createRecord('/v1/deals', { name: 'Pampa 2' })
    for (const search of ['+55 11 98888-7777', '11 988887777', '(11) 98888 7777', '011 98888-7777', '4321'])
      expect([search, await find(search)]).toEqual([search, [company.id, deal.id]])
    const { entity_id } = dataOf(await call('GET', `/v1/companies/${company.id}`)) as { entity_id: string }
    expect(await find(entity_id.toLowerCase())).toEqual([company.id, deal.id])
    expect(await find('pampa')).toEqual([company.id, named.id, deal.id])
    const deals = await call('GET', '/v1/deals?search=pampa&order_by=name&order=asc&per_page=1&page=1')
    expect(deals.json).toMatchObject({ data: [{ id: deal.id }], meta: { total: 2, has_more: true } })
    const filtered = await call('GET', `/v1/deals?search=pampa&company_id=${company.id}`)
    expect(rowsOf(filtered)).toMatchObject([{ id: deal.id }])
    await call('DELETE', `/v1/companies/${company.id}`)
    expect(await find('pampa')).toEqual([named.id])
  })

  test('shows and counts nothing that a member does not see', async () => {
    const { call, createRecord, find, addMember, tokenFor, owner } = await openAcme()
    const [ann, ben] = [await addMember('ann', 'member'), await addMember('ben', 'member')]
    const owned = { owner_user_id: ann.id }
    const contact = { phones: [{ phone: '11 98888-7777' }], ...owned }
    const company = await createRecord('/v1/companies', { full_name: 'Pampa', ...contact })
    const deal = await createRecord('/v1/deals', { name: 'Roof', company_id: company.id })
    const task = await createRecord('/v1/tasks', { title: 'Pampa', company_id: company.id, ...owned })
    const note = await createRecord('/v1/activities', {
      ...{ entity: 'companies', entity_id: company.id, content_html: 'pampa' },
    })
    const rules = { companies: 'owner', tasks: 'owner' }
    await call('PATCH', '/v1/workspace', { visibility: rules })
    expect(await find('pampa', ALL_KINDS, ann.token)).toEqual([company.id, deal.id, task.id, note.id])
    for (const search of ['pampa', '11 988887777', company['entity_id'] as string])
      expect([search, await find(search, ALL_KINDS, ben.token)]).toEqual([search, []])
    // The text of a company is not for a token that may read deals alone.
    const token = await tokenFor(owner.email, ['deals:read'])
    expect(await find('pampa', 'kinds=deals', token)).toEqual([])
    const missing = await call('GET', `/v1/search?${ALL_KINDS}&search=a`, undefined, { token })
    expect([missing.status, errorOf(missing)['code']]).toEqual([403, 'insufficient_scope'])
  })

  test('indexes the first thousand words of a long note, and names every wrong parameter', async () => {
    const { call, createRecord, find } = await openAcme()
    const words = Array.from({ length: 9_000 }, (_, nth) => `word${nth}`)
    const { id } = await createRecord('/v1/activities', { content_html: `<p>${words.join(' ')}</p>` })
    expect([await find('word0 word999'), await find('word1000')]).toEqual([[id], []])
    for (const [query, fields] of [
      ['search=', { search: 'Required.' }],
      ['search=%ED%A0%80', { search: 'Must be percent-encoded UTF-8.' }],
      ['search=%00', { search: 'Must not contain control characters.' }],
      [`search=${'a'.repeat(201)}`, { search: 'Must be between 1 and 200 characters.' }],
      [
        'search=a&kinds=teams',
        {
          kinds:
            'Must be one or more of, separated by commas: people, companies, deals, products, tasks, activities.',
        },
      ],
    ] as const) {
      const response = await call('GET', `/v1/search?${query}`)
      expect([query, response.status, errorOf(response)['fields']]).toEqual([query, 422, fields])
    }
    expect(errorOf(await call('GET', '/v1/tasks?search=-'))['fields']).toEqual({
      search: 'Must hold a letter or a digit.',
    })
  })
})
