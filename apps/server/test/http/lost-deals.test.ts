import { expect, test } from 'vitest'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const LOSS = { name: 'Chairs', lost_note: 'Back in June.\nMaybe.' }

describeEachStore('a lost deal', (open) => {
  async function setUp() {
    const service = await openService(await open())
    const acme = await openWorkspace(service, 'Acme')
    const { id: pipeline } = await acme.createRecord('/v1/pipelines', {
      name: 'Sales',
      stages: [{ name: 'New' }, { name: 'Lost', type: 'lost', required_fields: ['lost_reason'] }],
    })
    const settings = dataOf(await acme.call('GET', `/v1/pipelines/${pipeline}?include=settings`))
    const [fresh, lost] = (settings['stages'] as readonly { id: string }[]).map(({ id }) => id)
    const { id: price } = await acme.createRecord('/v1/lost-reasons', { name: 'Price' })
    return { service, acme, settings, fresh: fresh!, lost: lost!, price }
  }

  test('keeps its reason, also a deleted one, in lists, filters, exports and events', async () => {
    const { service, acme, settings, lost, price, fresh } = await setUp()
    expect(settings['stages']).toMatchObject([
      { required_fields: [], stale_after_days: null },
      { required_fields: ['lost_reason'], stale_after_days: null },
    ])
    const refused = await acme.call('POST', '/v1/deals', { ...LOSS, stage_id: lost })
    expect([refused.status, errorOf(refused)['fields']]).toEqual([
      422,
      { lost_reason_id: 'Required in this stage.' },
    ])
    const { id } = await acme.createRecord('/v1/deals', { ...LOSS, stage_id: lost, lost_reason_id: price })
    await acme.createRecord('/v1/deals', { name: 'Open' })
    expect((await acme.call('DELETE', `/v1/lost-reasons/${price}`)).status).toBe(204)
    const shown = { lost_reason: { id: price, name: 'Price' }, lost_note: LOSS.lost_note }
    expect(dataOf(await acme.call('GET', `/v1/deals/${id}?include=lost_reason`))).toMatchObject(shown)
    const filter = encodeURIComponent(JSON.stringify({ field: 'lost_reason', op: 'is', value: price }))
    const rows = rowsOf(await acme.call('GET', `/v1/deals?filter=${filter}&include=lost_reason,lost_note`))
    expect(rows).toEqual([expect.objectContaining({ id, ...shown })])
    const byName = encodeURIComponent(
      JSON.stringify({ field: 'lost_reason.name', op: 'contains', value: 'PRI' }),
    )
    expect(rowsOf(await acme.call('GET', `/v1/deals?filter=${byName}`))).toHaveLength(1)
    const empty = encodeURIComponent(JSON.stringify({ field: 'lost_reason', op: 'is_empty' }))
    expect(rowsOf(await acme.call('GET', `/v1/deals?filter=${empty}`))).toMatchObject([{ name: 'Open' }])
    const { text } = await acme.call('GET', '/v1/deals/export')
    expect(text.split('\r\n')[0]).toContain(',lost_reason,lost_reason_id,lost_note')
    expect(text).toContain(`,Price,${price},"Back in June.\nMaybe."`)
    const rival = await openWorkspace(service, 'Rival')
    expect((await rival.call('GET', `/v1/lost-reasons/${price}`)).status).toBe(404)
    const reopened = await acme.call('PATCH', `/v1/deals/${id}`, { stage_id: fresh })
    expect(dataOf(reopened)).toMatchObject({ lost_reason: null, lost_note: null })
  })

  test('has one of reasons that are created, named and deleted at the same time', async () => {
    const { acme, price } = await setUp()
    const names = Array.from({ length: 6 }, (_, index) => `Reason ${index}`)
    await Promise.all(names.map((name) => acme.createRecord('/v1/lost-reasons', { name, position: 0 })))
    const taken = await Promise.all(
      Array.from({ length: 6 }, () => acme.call('POST', '/v1/lost-reasons', { name: 'Same' })),
    )
    expect(taken.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    const deleted = await Promise.all(
      Array.from({ length: 4 }, () => acme.call('DELETE', `/v1/lost-reasons/${price}`)),
    )
    expect(deleted.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404])
    const rows = rowsOf(await acme.call('GET', '/v1/lost-reasons?order_by=position&order=asc'))
    expect(rows.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })
})
