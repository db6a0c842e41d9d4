import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection } from '../../../test/harness.ts'
import { createWebhookListener, insertWebhook } from '../../../test/webhooks.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Ports } from '../../ports/index.ts'
import type { Storage, Transaction, WorkspaceStores } from '../../ports/storage.ts'

const LATER = '2026-03-01T13:00:00.000Z'

describe.each(['people', 'companies'] as const)('deals linked to %s or unlinked from them', (kind) => {
  const [entity, link] = kind === 'people' ? ['person', 'person'] : ['company', 'company']

  async function withDeals(overrides: Partial<Ports> = {}) {
    const base = await createWebhookListener(overrides)
    const { crm, owner } = base
    await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
    const deals: string[] = []
    for (const name of ['A', 'B', 'C']) deals.push((await crm.deals.create(owner, { name })).id)
    await base.newEvents()
    return { ...base, deals, read: (id: string) => crm.deals.get(owner, id) }
  }

  test('emit updates of their own', async () => {
    const { crm, owner, clock, newEvents, deals, read } = await withDeals()
    const [a = '', b = '', c = ''] = deals
    const { id } = await crm[kind].create(owner, { full_name: 'Ana', deals: [a, b] })
    const linkedDeals = [await read(a), await read(b)]
    expect(linkedDeals.map((deal) => deal[link as 'person']?.id)).toEqual([id, id])
    expect(await newEvents()).toMatchObject([
      [`${entity}.created`, { [entity!]: await crm[kind].get(owner, id) }],
      ...linkedDeals.map((deal) => ['deal.updated', { deal }]),
    ])
    clock.set(LATER)
    await crm[kind].update(owner, id, { full_name: 'Eva', deals: [c, b] })
    const [gainedDeal, lostDeal] = [await read(c), await read(a)]
    expect([gainedDeal[link as 'person']?.full_name, lostDeal[link as 'person']]).toEqual(['Eva', null])
    const events = await newEvents()
    expect(events).toHaveLength(3)
    expect(events).toEqual(
      expect.arrayContaining([
        ['deal.updated', { deal: gainedDeal }],
        ['deal.updated', { deal: lostDeal }],
        [`${entity}.updated`, { [entity!]: expect.objectContaining({ id, full_name: 'Eva' }) }],
      ]),
    )
    clock.set('2026-03-01T14:00:00.000Z')
    await crm[kind].update(owner, id, { deals: [a, b, c] })
    const [event] = await newEvents()
    expect(event).toEqual(['deal.updated', { deal: await read(a) }])
  })

  test('emit nothing if the same deals are sent again', async () => {
    const { crm, owner, newEvents, deals } = await withDeals()
    const { id } = await crm[kind].create(owner, { full_name: 'Ana', deals })
    await newEvents()
    await crm[kind].update(owner, id, { deals: deals.toReversed() })
    expect(await newEvents()).toEqual([])
  })

  test.each([
    ['stored', breakDealUpdates],
    ['emitted', breakOutbox],
  ])('emit nothing if their updates cannot be %s, unlike the record itself', async (_, breakStores) => {
    let isFailing = false
    const { crm, owner, clock, newEvents, newEventNames, deals } = await withDeals({
      storage: createFailingStorage(breakStores, () => isFailing),
    })
    const { id } = await crm[kind].create(owner, { full_name: 'Ana' })
    await newEvents()
    isFailing = true
    clock.set(LATER)
    await expect(crm[kind].create(owner, { full_name: 'Bia', deals })).rejects.toThrow('disk I/O error')
    await catchRejection(crm[kind].update(owner, id, { deals }))
    expect(await newEventNames()).toEqual([])
    await catchRejection(crm[kind].update(owner, id, { full_name: 'Eva', deals }))
    const [event, ...others] = await newEvents()
    expect(event).toMatchObject([`${entity}.updated`, { [entity!]: await crm[kind].get(owner, id) }])
    expect(event?.[1]).toMatchObject({ [entity!]: { full_name: 'Eva', updated_at: LATER } })
    expect(others).toEqual([])
    expect((await crm.deals.list(owner, { updated_after: LATER })).data).toEqual([])
  })
})

test('hundreds of deals unlinked from a person each emit an update with their own state', async () => {
  const { crm, owner, newEvents } = await createWebhookListener()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const { id } = await crm.people.create(owner, { full_name: 'Ana' })
  const deals = await Promise.all(
    Array.from({ length: 250 }, (_, n) => crm.deals.create(owner, { name: `Deal ${n}`, person_id: id })),
  )
  await newEvents()
  await crm.people.update(owner, id, { deals: [] })
  const events = await newEvents()
  const unlinkedDeals = events
    .filter(([event]) => event === 'deal.updated')
    .map(([, snapshot]) => (snapshot as { deal: { name: string; person: null } }).deal)
  expect(unlinkedDeals.map(({ name }) => name).sort()).toEqual(deals.map(({ name }) => name).sort())
  expect(new Set(unlinkedDeals.map(({ person }) => person))).toEqual(new Set([null]))
})

test('change at most so many deals as five thousand deliveries allow', async () => {
  const { crm, owner, ports, newEvents } = await createWebhookListener()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  // One of the 101 webhooks hears of everything, and one of no deal.
  for (let index = 0; index < 99; index += 1)
    await insertWebhook(ports, owner.workspaceId, { events: ['deal.updated'] })
  await insertWebhook(ports, owner.workspaceId, { events: ['deal.created'] })
  const ids: string[] = []
  for (let index = 0; index < 51; index += 1)
    ids.push((await crm.deals.create(owner, { name: `Deal ${index}` })).id)
  await newEvents()
  const create = (deals: string[]) => crm.people.create(owner, { full_name: 'Ana', deals })
  expect(await catchFieldErrors(create(ids))).toEqual({
    deals: 'Must change at most 50 deals, because each change goes to 100 webhooks.',
  })
  expect(await newEvents()).toEqual([])
  const { id } = await create(ids.slice(1))
  // Only one deal changes.
  await crm.people.update(owner, id, { deals: ids })
})

type BreakStores = (stores: WorkspaceStores, isFailing: () => boolean) => Partial<WorkspaceStores>

function breakDealUpdates({ deals }: WorkspaceStores, isFailing: () => boolean) {
  const update: typeof deals.update = async (deal) => {
    if (isFailing()) throw new Error('disk I/O error')
    await deals.update(deal)
  }
  return { deals: { ...deals, update } }
}

/** Fails after the deliveries of deal events are inserted. */
function breakOutbox({ deliveries }: WorkspaceStores, isFailing: () => boolean) {
  const insertMany: typeof deliveries.insertMany = async (records) => {
    await deliveries.insertMany(records)
    if (isFailing() && records.some(({ event }) => event === 'deal.updated'))
      throw new Error('disk I/O error')
  }
  return { deliveries: { ...deliveries, insertMany } }
}

function createFailingStorage(breakStores: BreakStores, isFailing: () => boolean): Storage {
  const storage = memoryStorage()
  const wrapTransaction = (tx: Transaction): Transaction => ({
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      return { ...stores, ...breakStores(stores, isFailing) }
    },
  })
  return { ...storage, transact: (work) => storage.transact((tx) => work(wrapTransaction(tx))) }
}
