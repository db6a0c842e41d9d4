import type { Attempt } from '@sales-crm/core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDelivering } from '../../src/index.ts'
import { PUBLIC } from '../outbound-http/network-lab.ts'
import { buildSendings, createQueue, HOUR } from './fake-queue.ts'
import { openReceiver, type Receiver } from './test-receiver.ts'

let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
})

afterEach(async () => {
  await receiver.closeSenders()
  expect(await receiver.settled()).toEqual({ visits: 0 })
})

afterAll(() => receiver.close())

/** Delivers for real, and gives what came of it in order, as soon as there are `count` outcomes that `test` takes. */
async function deliverAll(
  queue: ReturnType<typeof createQueue>,
  count: number,
  takes: (attempt: Attempt) => boolean,
  timeoutMs: number,
) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const settle = queue.delivering.saveOutcomes
  queue.delivering.saveOutcomes = async (sent) => {
    await settle(sent)
    if (queue.batches.flat().filter(({ attempt }) => takes(attempt)).length >= count) resolve()
  }
  const sender = receiver.sender({ timeoutMs, lookup: async () => [{ address: PUBLIC, family: 4 }] })
  const { stop } = startDelivering({
    delivering: queue.delivering,
    sender,
    now: () => '2026-03-01T12:00:00.000Z',
    pollMs: HOUR,
  })
  await promise
  await stop(0)
  return queue.batches.flat()
}

test('a receiver that keeps silent costs the others nothing', async () => {
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
      .every(({ request: sending, attempt }) => sending.host === 'hole.lab.test' && attempt.status === null),
  ).toBe(true)
  expect(queue.waiting.length + outcomes.length).toBe(712)
})

test('a hundred deliveries to one host share as many connections as are sent at once', async () => {
  const connections = receiver.connections.count()
  const queue = createQueue(
    ...buildSendings('fast.lab.test', 100, {}, receiver.url('/bytes/10', 'fast.lab.test')),
  )
  const outcomes = await deliverAll(queue, 100, ({ status }) => status === 200, 20_000)
  expect(outcomes).toHaveLength(100)
  expect(receiver.seen).toHaveLength(100)
  expect(receiver.connections.count() - connections).toBeLessThanOrEqual(32)
})
