import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('a list', (open) => {
  async function createPeople(count: number) {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    for (let index = 1; index <= count; index += 1) {
      await acme.createRecord('/v1/people', { full_name: `Person ${index}` })
      service.advanceClock(1)
    }
    return acme
  }
  const namesOf = (json: unknown) =>
    (json as { data: { full_name: string }[] }).data.map(({ full_name }) => full_name)

  test('returns the newest first, page by page, until has_more is false', async () => {
    const acme = await createPeople(5)
    const pages = [1, 2, 3, 4].map((page) => acme.call('GET', `/v1/people?per_page=2&page=${page}`))
    const [first, second, third, fourth] = (await Promise.all(pages)).map(({ json }) => json)
    expect([namesOf(first), namesOf(second), namesOf(third), namesOf(fourth)]).toEqual([
      ['Person 5', 'Person 4'],
      ['Person 3', 'Person 2'],
      ['Person 1'],
      [],
    ])
    expect(first).toMatchObject({ meta: { total: 5, page: 1, per_page: 2, has_more: true } })
    expect(third).toMatchObject({ meta: { total: 5, page: 3, per_page: 2, has_more: false } })
    expect(fourth).toMatchObject({ meta: { total: 5, page: 4, per_page: 2, has_more: false } })
  })

  test('follows order and order_by', async () => {
    const acme = await createPeople(3)
    expect(namesOf((await acme.call('GET', '/v1/people?order=asc')).json)).toEqual([
      'Person 1',
      'Person 2',
      'Person 3',
    ])
    expect(namesOf((await acme.call('GET', '/v1/people?order_by=full_name')).json)).toEqual([
      'Person 3',
      'Person 2',
      'Person 1',
    ])
  })

  test('is empty on a page after the last', async () => {
    const acme = await createPeople(1)
    const { status, json } = await acme.call('GET', '/v1/people?page=9007199254740991&per_page=100')
    expect([status, json]).toEqual([
      200,
      { data: [], meta: { total: 1, page: Number.MAX_SAFE_INTEGER, per_page: 100, has_more: false } },
    ])
  })
})
