import { describe, expect, test } from 'vitest'
import {
  createDeliveryWorker,
  createPendingDelivery,
  FAILED,
  POLICY,
} from '../../../test/delivery-harness.ts'
import { NOON } from '../../../test/harness.ts'
import { ClockWatch, rescheduleDeliveries } from './reschedule-deliveries.ts'

const DAY = 86_400

test.each([
  ['at the first instant', [NOON], true],
  ['by more than a minute', [NOON, '2026-03-01T11:58:59.999Z'], true],
  ['by a minute', [NOON, '2026-03-01T11:59:00.000Z'], false],
  ['by less and less, again', [NOON, '2026-03-01T11:59:30.000Z', '2026-03-01T11:58:59.000Z'], true],
  ['forward', [NOON, '2026-03-01T13:00:00.000Z'], false],
  ['once', [NOON, '2026-03-01T11:00:00.000Z', '2026-03-01T11:00:01.000Z'], false],
])('a clock that is set back %s is noticed', (_, instants, expected) => {
  const watch = new ClockWatch()
  expect(instants.map((at) => watch.isSetBack(at)).at(-1)).toBe(expected)
})

describe('after the clock was set back', () => {
  test('a delivery that was due is sent at once, however long the retry delay is', async () => {
    const { claim, insertDelivery, subscribe, clock } = await createDeliveryWorker({}, { retrySeconds: DAY })
    const webhook = await subscribe()
    for (let nth = 0; nth < 400; nth += 1) await insertDelivery(webhook)
    await claim({ maxPerQueue: 4 })
    clock.advance(-900)
    const claimedIds = new Set<string>()
    const claimAll = async () => {
      for (const { id } of await claim({ maxPerQueue: 1000 })) claimedIds.add(id)
      return claimedIds.size
    }
    await expect.poll(claimAll).toBe(400)
  })

  test('a retry waits no longer than its delay, and a lease no longer than its length', async () => {
    const { claim, saveOutcomes, clock, deliveries, insertDelivery, webhook, ports } =
      await createPendingDelivery()
    await saveOutcomes(await claim(), FAILED)
    await insertDelivery(webhook)
    await claim()
    clock.advance(-600)
    const at = clock.now()
    await rescheduleDeliveries(ports, POLICY)
    expect((await deliveries()).map(({ due_at }) => due_at)).toEqual([at, at])
  })

  test('what is on schedule stays', async () => {
    const { claim, saveOutcomes, clock, deliveries, insertDelivery, webhook, ports } =
      await createPendingDelivery()
    await saveOutcomes(await claim(), FAILED)
    await insertDelivery(webhook)
    await claim()
    const before = await deliveries()
    for (const seconds of [0, 10, -60]) {
      clock.advance(seconds)
      await rescheduleDeliveries(ports, POLICY)
      expect(await deliveries()).toEqual(before)
    }
  })
})
