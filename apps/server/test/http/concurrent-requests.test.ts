import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('at the same time', (open) => {
  test('a deal is made and the oldest pipeline is deleted: the deal is made, in a pipeline that is there', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const stages = [{ name: 'New' }]
    let oldest = await acme.createRecord('/v1/pipelines', { name: 'Sales 0', stages })
    for (let round = 1; round <= 10; round += 1) {
      const next = await acme.createRecord('/v1/pipelines', { name: `Sales ${round}`, stages })
      const [deleted, ...made] = await Promise.all([
        acme.call('DELETE', `/v1/pipelines/${oldest.id}`),
        ...Array.from({ length: 4 }, () => acme.call('POST', '/v1/deals', { name: 'Chairs' })),
      ])
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      const deals = made.map(
        ({ json }) => (json as { data: { id: string; pipeline: { id: string } | null } }).data,
      )
      const where = deleted.status === 204 ? [next.id] : [oldest.id]
      expect(new Set(deals.map(({ pipeline }) => pipeline?.id))).toEqual(new Set(where))
      for (const { id } of deals) await acme.call('DELETE', `/v1/deals/${id}`)
      if (deleted.status === 409)
        expect((await acme.call('DELETE', `/v1/pipelines/${oldest.id}`)).status).toBe(204)
      oldest = next
    }
  })

  test('two members change different fields of one record: neither change is lost', async () => {
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
  ])('fifty %s that claim one name: one has it, and the others are told', async (family, body, field) => {
    const acme = await openWorkspace(await openService(await open()))
    const path = `/v1/${family}`
    const race = async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => acme.call('POST', path, body)))
      const refused = answers.filter(({ status }) => status !== 201)
      expect(refused.map((answer) => [answer.status, errorOf(answer)])).toEqual(
        Array(49).fill([409, takenIn(field)]),
      )
      return answers.find(({ status }) => status === 201)!
    }
    const { id } = dataOf(await race())
    expect((await acme.call('GET', path)).json).toMatchObject({ data: [{ id }], meta: { total: 1 } })
    expect((await acme.call('DELETE', `${path}/${id}`)).status).toBe(204)
    expect(dataOf(await race())['id']).not.toBe(id)
  })

  test('fifty tags of one title each get a key of their own', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => acme.call('POST', '/v1/tags', { name: 'Hot' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201))
    const keys = ['hot', ...Array.from({ length: 49 }, (_, n) => `hot_${n + 2}`)]
    expect(new Set(answers.map((answer) => dataOf(answer)['key']))).toEqual(new Set(keys))
  })

  test('people take an option and the option is removed: nobody is left with what is not there', async () => {
    const acme = await openWorkspace(await openService(await open()))
    for (let round = 1; round <= 5; round += 1) {
      const [kept, going] = ['red', 'blue'].map((key) => ({ key, option: key }))
      const field = {
        label: 'Color',
        key: `color_${round}`,
        type: 'select',
        value: { select_list: [kept, going] },
      }
      const { id } = await acme.createRecord('/v1/custom-fields', field)
      const custom_fields = [{ key: `color_${round}`, value: 'blue' }]
      const [removed, ...made] = await Promise.all([
        acme.call('PATCH', `/v1/custom-fields/${id}`, { value: { select_list: [kept] } }),
        ...Array.from({ length: 4 }, () =>
          acme.call('POST', '/v1/people', { full_name: 'Ana', custom_fields }),
        ),
      ])
      expect([200, 409]).toContain(removed.status)
      expect(made.map(({ status }) => status)).toEqual(Array(4).fill(removed.status === 200 ? 422 : 201))
    }
  })
})

function takenIn(field: string): object {
  const message = 'A record with this value already exists.'
  return { code: 'conflict', message, fields: { [field]: message } }
}
