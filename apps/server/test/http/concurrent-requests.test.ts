import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('concurrent requests', (open) => {
  test('deals created while the oldest pipeline is deleted are in an existing pipeline', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const stages = [{ name: 'New' }]
    let oldest = await acme.createRecord('/v1/pipelines', { name: 'Sales 0', stages })
    for (let round = 1; round <= 10; round += 1) {
      const next = await acme.createRecord('/v1/pipelines', { name: `Sales ${round}`, stages })
      const [deleteResponse, ...createResponses] = await Promise.all([
        acme.call('DELETE', `/v1/pipelines/${oldest.id}`),
        ...Array.from({ length: 4 }, () => acme.call('POST', '/v1/deals', { name: 'Chairs' })),
      ])
      expect(createResponses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      const deals = createResponses.map(
        ({ json }) => (json as { data: { id: string; pipeline: { id: string } | null } }).data,
      )
      const expectedPipelines = deleteResponse.status === 204 ? [next.id] : [oldest.id]
      expect(new Set(deals.map(({ pipeline }) => pipeline?.id))).toEqual(new Set(expectedPipelines))
      for (const { id } of deals) await acme.call('DELETE', `/v1/deals/${id}`)
      if (deleteResponse.status === 409)
        expect((await acme.call('DELETE', `/v1/pipelines/${oldest.id}`)).status).toBe(204)
      oldest = next
    }
  })

  test('four changes of different fields of one record are all stored', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/people', { full_name: 'Ana' })
    const changes = [
      { full_name: 'Ann' },
      { score: 7 },
      { position: 'Buyer' },
      { avatar_url: 'https://a.example/a.png' },
    ]
    await Promise.all(changes.map((change) => acme.call('PATCH', `/v1/people/${id}`, change)))
    expect((await acme.call('GET', `/v1/people/${id}`)).json).toMatchObject({
      data: Object.assign({}, ...changes),
    })
  })

  test.each([
    ['custom-fields', { label: 'Size', key: 'size', type: 'text' }, 'key'],
    ['tags', { name: 'Hot', key: 'hot' }, 'key'],
    ['products', { name: 'Chair', currency: 'BRL', code: 'C-1' }, 'code'],
  ])(
    'fifty creates of %s with one value: one succeeds, the others get 409 with the field',
    async (kind, body, field) => {
      const acme = await openWorkspace(await openService(await open()))
      const path = `/v1/${kind}`
      const race = async () => {
        const responses = await Promise.all(Array.from({ length: 50 }, () => acme.call('POST', path, body)))
        const errorResponses = responses.filter(({ status }) => status !== 201)
        expect(errorResponses.map((response) => [response.status, errorOf(response)])).toEqual(
          Array(49).fill([409, conflictOn(field)]),
        )
        return responses.find(({ status }) => status === 201)!
      }
      const { id } = dataOf(await race())
      expect((await acme.call('GET', path)).json).toMatchObject({ data: [{ id }], meta: { total: 1 } })
      expect((await acme.call('DELETE', `${path}/${id}`)).status).toBe(204)
      expect(dataOf(await race())['id']).not.toBe(id)
    },
  )

  test('fifty tags with one name get different keys', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => acme.call('POST', '/v1/tags', { name: 'Hot' })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(201))
    const keys = ['hot', ...Array.from({ length: 49 }, (_, n) => `hot_${n + 2}`)]
    expect(new Set(responses.map((response) => dataOf(response)['key']))).toEqual(new Set(keys))
  })

  test('people never keep a select option that a concurrent change removes', async () => {
    const acme = await openWorkspace(await openService(await open()))
    for (let round = 1; round <= 5; round += 1) {
      const [keptOption, removedOption] = ['red', 'blue'].map((key) => ({ key, option: key }))
      const field = {
        label: 'Color',
        key: `color_${round}`,
        type: 'select',
        value: { select_list: [keptOption, removedOption] },
      }
      const { id } = await acme.createRecord('/v1/custom-fields', field)
      const custom_fields = [{ key: `color_${round}`, value: 'blue' }]
      const [patchResponse, ...createResponses] = await Promise.all([
        acme.call('PATCH', `/v1/custom-fields/${id}`, { value: { select_list: [keptOption] } }),
        ...Array.from({ length: 4 }, () =>
          acme.call('POST', '/v1/people', { full_name: 'Ana', custom_fields }),
        ),
      ])
      expect([200, 409]).toContain(patchResponse.status)
      expect(createResponses.map(({ status }) => status)).toEqual(
        Array(4).fill(patchResponse.status === 200 ? 422 : 201),
      )
    }
  })
})

function conflictOn(field: string): object {
  const message = 'A record with this value already exists.'
  return { code: 'conflict', message, fields: { [field]: message } }
}
