import { describe, expect, test } from 'vitest'
import { catchRejection } from '../../../test/harness.ts'
import { createWebhookListener } from '../../../test/webhooks.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Ports } from '../../ports/index.ts'
import type { Storage, Transaction, WorkspaceStores } from '../../ports/storage.ts'

const LATER = '2026-03-01T13:00:00.000Z'

describe.each(['people', 'companies'] as const)('deals that come to %s or leave them', (kind) => {
  const [entity, link] = kind === 'people' ? ['person', 'person'] : ['company', 'company']

  async function withDeals(special: Partial<Ports> = {}) {
    const base = await createWebhookListener(special)
    const { crm, owner } = base
    await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
    const deals: string[] = []
    for (const name of ['A', 'B', 'C']) deals.push((await crm.deals.create(owner, { name })).id)
    await base.told()
    return { ...base, deals, read: (id: string) => crm.deals.get(owner, id) }
  }

  test('are updates of their own', async () => {
    const { crm, owner, clock, told, deals, read } = await withDeals()
    const [a = '', b = '', c = ''] = deals
    const { id } = await crm[kind].create(owner, { full_name: 'Ana', deals: [a, b] })
    const held = [await read(a), await read(b)]
    expect(held.map((deal) => deal[link as 'person']?.id)).toEqual([id, id])
    expect(await told()).toMatchObject([
      [`${entity}.created`, { [entity!]: await crm[kind].get(owner, id) }],
      ...held.map((deal) => ['deal.updated', { deal }]),
    ])
    clock.set(LATER)
    await crm[kind].update(owner, id, { full_name: 'Eva', deals: [c, b] })
    const [gained, lost] = [await read(c), await read(a)]
    expect([gained[link as 'person']?.full_name, lost[link as 'person']]).toEqual(['Eva', null])
    const news = await told()
    expect(news).toHaveLength(3)
    expect(news).toEqual(
      expect.arrayContaining([
        ['deal.updated', { deal: gained }],
        ['deal.updated', { deal: lost }],
        [`${entity}.updated`, { [entity!]: expect.objectContaining({ id, full_name: 'Eva' }) }],
      ]),
    )
    clock.set('2026-03-01T14:00:00.000Z')
    await crm[kind].update(owner, id, { deals: [a, b, c] })
    const [back] = await told()
    expect(back).toEqual(['deal.updated', { deal: await read(a) }])
  })

  test('stay as they are when the same ones are named', async () => {
    const { crm, owner, told, deals } = await withDeals()
    const { id } = await crm[kind].create(owner, { full_name: 'Ana', deals })
    await told()
    await crm[kind].update(owner, id, { deals: deals.toReversed() })
    expect(await told()).toEqual([])
  })

  test.each([
    ['saved', frailDeals],
    ['told of', frailOutbox],
  ])('are not told of when they could not be %s; what was saved is', async (_, frail) => {
    let failing = false
    const { crm, owner, clock, told, names, deals } = await withDeals({
      storage: frailStorage(frail, () => failing),
    })
    const { id } = await crm[kind].create(owner, { full_name: 'Ana' })
    await told()
    failing = true
    clock.set(LATER)
    await expect(crm[kind].create(owner, { full_name: 'Bia', deals })).rejects.toThrow('disk I/O error')
    await catchRejection(crm[kind].update(owner, id, { deals }))
    expect(await names()).toEqual([])
    await catchRejection(crm[kind].update(owner, id, { full_name: 'Eva', deals }))
    const [news, ...more] = await told()
    expect(news).toMatchObject([`${entity}.updated`, { [entity!]: await crm[kind].get(owner, id) }])
    expect(news?.[1]).toMatchObject({ [entity!]: { full_name: 'Eva', updated_at: LATER } })
    expect(more).toEqual([])
    expect((await crm.deals.list(owner, { updated_after: LATER })).data).toEqual([])
  })
})

test('hundreds of deals that leave a person are all told of, each with its own state', async () => {
  const { crm, owner, told } = await createWebhookListener()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const { id } = await crm.people.create(owner, { full_name: 'Ana' })
  const made = await Promise.all(
    Array.from({ length: 250 }, (_, n) => crm.deals.create(owner, { name: `Deal ${n}`, person_id: id })),
  )
  await told()
  await crm.people.update(owner, id, { deals: [] })
  const news = await told()
  const left = news
    .filter(([event]) => event === 'deal.updated')
    .map(([, snapshot]) => (snapshot as { deal: { name: string; person: null } }).deal)
  expect(left.map(({ name }) => name).sort()).toEqual(made.map(({ name }) => name).sort())
  expect(new Set(left.map(({ person }) => person))).toEqual(new Set([null]))
})

type Frail = (stores: WorkspaceStores, failing: () => boolean) => Partial<WorkspaceStores>

function frailDeals({ deals }: WorkspaceStores, failing: () => boolean) {
  const update: typeof deals.update = async (deal, before) => {
    if (failing()) throw new Error('disk I/O error')
    await deals.update(deal, before)
  }
  return { deals: { ...deals, update } }
}

/** What is told of deals is written, and then the disk fails. */
function frailOutbox({ deliveries }: WorkspaceStores, failing: () => boolean) {
  const insertMany: typeof deliveries.insertMany = async (records) => {
    await deliveries.insertMany(records)
    if (failing() && records.some(({ event }) => event === 'deal.updated')) throw new Error('disk I/O error')
  }
  return { deliveries: { ...deliveries, insertMany } }
}

function frailStorage(frail: Frail, failing: () => boolean): Storage {
  const sound = memoryStorage()
  const weakened = (tx: Transaction): Transaction => ({
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      return { ...stores, ...frail(stores, failing) }
    },
  })
  return { ...sound, transact: (work) => sound.transact((tx) => work(weakened(tx))) }
}
