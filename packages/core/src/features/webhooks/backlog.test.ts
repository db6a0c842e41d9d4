import { expect, test } from 'vitest'
import { createDeliveryWorker } from '../../../test/delivery-harness.ts'

test('is empty without deliveries', async () => {
  const { crm } = await createDeliveryWorker()
  expect(await crm.operator.backlog()).toEqual({ pending: 0, overdue_seconds: 0 })
})

test('counts pending deliveries of all workspaces and the seconds since the earliest was due', async () => {
  const { crm, otherOwner, clock, inWorkspace, subscribe, insertDelivery } = await createDeliveryWorker()
  const otherWorkspace = inWorkspace(otherOwner.workspaceId)
  await insertDelivery(await subscribe())
  clock.advance(60)
  await otherWorkspace.insertDelivery(await otherWorkspace.subscribe())
  await otherWorkspace.insertDelivery(await otherWorkspace.subscribe(), { status: 'delivered', due_at: null })
  expect(await crm.operator.backlog()).toEqual({ pending: 2, overdue_seconds: 60 })
  clock.advance(0.25)
  expect(await crm.operator.backlog()).toEqual({ pending: 2, overdue_seconds: 60.25 })
})

test('counts a claimed delivery as overdue after its lease, and a retry from its due time', async () => {
  const { crm, clock, subscribe, insertDelivery, claim, saveOutcomes } = await createDeliveryWorker()
  await insertDelivery(await subscribe())
  clock.advance(60)
  const sendings = await claim()
  clock.advance(29)
  expect(await crm.operator.backlog()).toEqual({ pending: 1, overdue_seconds: 0 })
  clock.advance(2)
  expect(await crm.operator.backlog()).toEqual({ pending: 1, overdue_seconds: 1 })
  await saveOutcomes(sendings, { duration_ms: 5, status: 500, error: null, response: null })
  clock.advance(900)
  expect(await crm.operator.backlog()).toEqual({ pending: 1, overdue_seconds: 0 })
  clock.advance(5)
  expect(await crm.operator.backlog()).toEqual({ pending: 1, overdue_seconds: 5 })
})
