import type { Attempt } from '@sales-crm/core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startDispatcher } from '../../src/index.ts'
import { PUBLIC } from '../outbound-http/network-lab.ts'
import { buildSendings, createQueue, HOUR } from './fake-queue.ts'
import { openReceiver, type Receiver } from './test-receiver.ts'

let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
})

afterEach(async () => {
  await receiver.closeSenders()
  expect(await receiver.reset()).toEqual({ visits: 0 })
})

afterAll(() => receiver.close())

/** Delivers over the network until `count` outcomes satisfy `predicate`. Returns all outcomes in order. */
async function deliverAll(
  queue: ReturnType<typeof createQueue>,
  count: number,
  predicate: (attempt: Attempt) => boolean,
  timeoutMs: number,
) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const saveOutcomes = queue.deliveries.saveOutcomes
  queue.deliveries.saveOutcomes = async (outcomes) => {
    await saveOutcomes(outcomes)
    if (queue.batches.flat().filter(({ attempt }) => predicate(attempt)).length >= count) resolve()
  }
  const sender = receiver.createSender({ timeoutMs, lookup: async () => [{ address: PUBLIC, family: 4 }] })
  const { stop } = startDispatcher({
    deliveries: queue.deliveries,
    sender,
    now: () => '2026-03-01T12:00:00.000Z',
    pollMs: HOUR,
  })
  await promise
  await stop(0)
  return queue.batches.flat()
}

describe('a dispatcher with a network sender', () => {
  test('delivers to the other receivers while one does not respond', async () => {
    const queue = createQueue(
      ...buildSendings('hole.lab.test', 512, {}, receiver.url('/silent', 'hole.lab.test')),
      ...buildSendings('fast.lab.test', 200, {}, receiver.url('/bytes/10', 'fast.lab.test')),
    )
    const outcomes = await deliverAll(queue, 1, ({ error }) => error === 'timeout', 4000)
    const firstTimeout = outcomes.findIndex(({ attempt }) => attempt.error === 'timeout')
    expect(outcomes.slice(0, firstTimeout).map(({ attempt }) => attempt.status)).toEqual(Array(200).fill(200))
    expect(
      outcomes
        .slice(firstTimeout)
        .every(({ request, attempt }) => request.host === 'hole.lab.test' && attempt.status === null),
    ).toBe(true)
    expect(queue.waiting.length + outcomes.length).toBe(712)
  })

  test('opens no more connections to a host than concurrent sends', async () => {
    const connections = receiver.connections.count()
    const queue = createQueue(
      ...buildSendings('fast.lab.test', 100, {}, receiver.url('/bytes/10', 'fast.lab.test')),
    )
    const outcomes = await deliverAll(queue, 100, ({ status }) => status === 200, 20_000)
    expect(outcomes).toHaveLength(100)
    expect(receiver.requests).toHaveLength(100)
    expect(receiver.connections.count() - connections).toBeLessThanOrEqual(32)
  })
})
