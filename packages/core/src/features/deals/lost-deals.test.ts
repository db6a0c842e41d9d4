import { expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'

async function setUpLostDeal() {
  const base = await createTestCrm()
  const { crm, owner } = base
  const { stages } = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [
      { name: 'New' },
      { name: 'Won', type: 'win' },
      { name: 'Lost', type: 'lost' },
      { name: 'Gone', type: 'lost' },
    ],
  })
  const [fresh, won, lost, gone] = stages.map(({ id }) => id) as [string, string, string, string]
  const price = await crm.lostReasons.create(owner, { name: 'Price' })
  const loss = { lost_reason_id: price.id, lost_note: 'Back in June.' }
  const deal = await crm.deals.create(owner, { name: 'Chairs', stage_id: lost, ...loss })
  return { ...base, fresh, won, lost, gone, price, loss, deal }
}

const RULE = 'Is for deals in a lost stage.'
const LOSS = { lost_reason: { name: 'Price' }, lost_note: 'Back in June.' }
const NO_LOSS = { lost_reason: null, lost_note: null }

test('a lost deal has a reason and a note, which lists show if they are included', async () => {
  const { crm, owner, deal } = await setUpLostDeal()
  expect(deal).toMatchObject(LOSS)
  const [plain] = (await crm.deals.list(owner)).data
  expect(plain).not.toHaveProperty('lost_reason')
  expect((await crm.deals.list(owner, { include: 'lost_reason,lost_note' })).data).toMatchObject([LOSS])
  expect(await crm.deals.get(owner, deal.id, { include: 'lost_reason' })).toEqual(deal)
})

test('reopening or winning clears both, and another lost stage does not', async () => {
  const { crm, owner, deal, fresh, won, lost, gone, loss } = await setUpLostDeal()
  expect(await crm.deals.update(owner, deal.id, { stage_id: gone })).toMatchObject(LOSS)
  expect(await crm.deals.update(owner, deal.id, { stage_id: won })).toMatchObject(NO_LOSS)
  expect(await crm.deals.update(owner, deal.id, { stage_id: lost, ...loss })).toMatchObject(LOSS)
  expect(await crm.deals.update(owner, deal.id, { stage_id: fresh })).toMatchObject(NO_LOSS)
})

test('a deal that is not lost takes neither', async () => {
  const { crm, owner, deal, fresh, won, loss } = await setUpLostDeal()
  const both = { lost_reason_id: RULE, lost_note: RULE }
  expect(await catchFieldErrors(crm.deals.create(owner, { name: 'A', ...loss }))).toEqual(both)
  expect(await catchFieldErrors(crm.deals.update(owner, deal.id, { stage_id: won, ...loss }))).toEqual(both)
  expect(await crm.deals.get(owner, deal.id)).toMatchObject(LOSS)
  await crm.deals.update(owner, deal.id, { stage_id: fresh })
  expect(await catchFieldErrors(crm.deals.update(owner, deal.id, loss))).toEqual(both)
  const none = { lost_reason_id: null, lost_note: null }
  expect(await crm.deals.update(owner, deal.id, none)).toMatchObject(NO_LOSS)
})

test('a deleted reason stays where it is, is shown, filtered by, and chosen for no other deal', async () => {
  const { crm, owner, deal, lost, price } = await setUpLostDeal()
  await crm.lostReasons.remove(owner, price.id)
  expect(await crm.deals.get(owner, deal.id)).toMatchObject(LOSS)
  const same = { lost_reason_id: price.id, lost_note: 'Again.' }
  expect(await crm.deals.update(owner, deal.id, same)).toMatchObject({ lost_reason: { name: 'Price' } })
  const other = { name: 'Tables', stage_id: lost, lost_reason_id: price.id }
  const NOT_FOUND = { lost_reason_id: 'Lost reason not found.' }
  expect(await catchFieldErrors(crm.deals.create(owner, other))).toEqual(NOT_FOUND)
  const tables = await crm.deals.create(owner, { name: 'Tables', stage_id: lost })
  const find = async (op: string, value?: unknown) => {
    const filter = JSON.stringify({ field: 'lost_reason', op, ...(value !== undefined && { value }) })
    return (await crm.deals.list(owner, { filter })).data.map(({ id }) => id)
  }
  expect(await find('is', price.id)).toEqual([deal.id])
  expect(await find('any_of', [price.id, UNKNOWN_ID])).toEqual([deal.id])
  expect(await find('is_not', price.id)).toEqual([tables.id])
  expect(await find('is_empty')).toEqual([tables.id])
  await crm.deals.update(owner, deal.id, { lost_reason_id: null })
  expect(await catchFieldErrors(crm.deals.update(owner, deal.id, same))).toEqual(NOT_FOUND)
})

test.each([
  [{ lost_reason_id: UNKNOWN_ID }, { lost_reason_id: 'Lost reason not found.' }],
  [{ lost_reason_id: 'price' }, { lost_reason_id: 'Must be a UUID.' }],
  [{ lost_note: 'x'.repeat(2001) }, { lost_note: 'Must be at most 2000 characters.' }],
  [{ lost_note: '\ud800' }, { lost_note: 'Must be valid Unicode text.' }],
])('the loss %j is refused', async (changes, errors) => {
  const { crm, owner, deal } = await setUpLostDeal()
  expect(await catchFieldErrors(crm.deals.update(owner, deal.id, changes))).toEqual(errors)
})

test('a reason of another workspace is not found', async () => {
  const { crm, owner, otherOwner, deal } = await setUpLostDeal()
  const theirs = await crm.lostReasons.create(otherOwner, { name: 'Price' })
  expect(await catchFieldErrors(crm.deals.update(owner, deal.id, { lost_reason_id: theirs.id }))).toEqual({
    lost_reason_id: 'Lost reason not found.',
  })
})
