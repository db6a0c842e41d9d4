import { expect, test } from 'vitest'
import { createDeliveryWorker } from '../../../test/delivery-harness.ts'

test('where nothing waits nothing is overdue', async () => {
  const { crm } = await createDeliveryWorker()
  expect(await crm.operator.backlog()).toEqual({ pending: 0, overdue_seconds: 0 })
})

test('what waits is overdue for as long as the one that is due longest, in whatever workspace', async () => {
  const { crm, otherOwner, clock, inWorkspace, subscribe, insertDelivery } = await createDeliveryWorker()
  const there = inWorkspace(otherOwner.workspaceId)
  await insertDelivery(await subscribe())
  clock.advance(60)
  await there.insertDelivery(await there.subscribe())
  await there.insertDelivery(await there.subscribe(), { status: 'delivered', due_at: null })
  expect(await crm.operator.backlog()).toEqual({ pending: 2, overdue_seconds: 60 })
  clock.advance(0.25)
  expect(await crm.operator.backlog()).toEqual({ pending: 2, overdue_seconds: 60.25 })
})

test('what is under way waits and is not overdue before its lease ends, and what is tried later not before then', async () => {
  const { crm, clock, subscribe, insertDelivery, claim, settle } = await createDeliveryWorker()
  await insertDelivery(await subscribe())
  clock.advance(60)
  const sendings = await claim()
  clock.advance(29)
  expect(await crm.operator.backlog()).toEqual({ pending: 1, overdue_seconds: 0 })
  clock.advance(2)
  expect(await crm.operator.backlog()).toEqual({ pending: 1, overdue_seconds: 1 })
  await settle(sendings, { duration_ms: 5, status: 500, error: null, response: null })
  clock.advance(900)
  expect(await crm.operator.backlog()).toEqual({ pending: 1, overdue_seconds: 0 })
  clock.advance(5)
  expect(await crm.operator.backlog()).toEqual({ pending: 1, overdue_seconds: 5 })
})
