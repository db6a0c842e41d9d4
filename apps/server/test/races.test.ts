import { expect, test } from 'vitest'
import { openService, openWorkspace } from './harness.ts'
import { describeEachStore } from './stores.ts'

describeEachStore('at the same time', (open) => {
  test('a deal is made and the oldest pipeline is deleted: the deal is made, in a pipeline that is there', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const stages = [{ name: 'New' }]
    let oldest = await acme.made('/v1/pipelines', { name: 'Sales 0', stages })
    for (let round = 1; round <= 10; round += 1) {
      const next = await acme.made('/v1/pipelines', { name: `Sales ${round}`, stages })
      const [deleted, ...made] = await Promise.all([
        acme.call('DELETE', `/v1/pipelines/${oldest.id}`),
        ...Array.from({ length: 4 }, () => acme.call('POST', '/v1/deals', { name: 'Chairs' })),
      ])
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      const deals = made.map(({ json }) => (json as { data: { id: string; pipeline: { id: string } | null } }).data)
      const where = deleted.status === 204 ? [next.id] : [oldest.id]
      expect(new Set(deals.map(({ pipeline }) => pipeline?.id))).toEqual(new Set(where))
      for (const { id } of deals) await acme.call('DELETE', `/v1/deals/${id}`)
      if (deleted.status === 409) expect((await acme.call('DELETE', `/v1/pipelines/${oldest.id}`)).status).toBe(204)
      oldest = next
    }
  })

  test('two members change different fields of one record: neither change is lost', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.made('/v1/people', { full_name: 'Ana' })
    const changes = [{ full_name: 'Ann' }, { score: 7 }, { position: 'Buyer' }, { avatar_url: 'https://a.example/a.png' }]
    await Promise.all(changes.map((change) => acme.call('PATCH', `/v1/people/${id}`, change)))
    expect((await acme.call('GET', `/v1/people/${id}`)).json).toMatchObject({ data: Object.assign({}, ...changes) })
  })
})
