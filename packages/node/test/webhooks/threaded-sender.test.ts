import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ThreadedSenderOptions, threadedSender } from '../../src/index.ts'
import { PUBLIC } from '../outbound-http/network-lab.ts'
import { openReceiver, type Receiver } from './test-receiver.ts'

const LAB_THREAD = new URL('./threads/lab.ts', import.meta.url)
const FAULTY_THREAD = new URL('./threads/faulty.ts', import.meta.url)
const buildSending = (body: string, url = 'https://faulty.lab.test/') => ({ url, body, signature: undefined })

function createSender(thread: URL, options: Partial<ThreadedSenderOptions> = {}) {
  const crashes: unknown[] = []
  const sender = threadedSender({
    timeoutMs: 20_000,
    outbound: { allowCidrs: [`${PUBLIC}/32`] },
    thread,
    onCrash: (error) => crashes.push(error),
    ...options,
  })
  onTestFinished(() => sender.close())
  return { ...sender, crashes }
}

describe('a threaded sender', () => {
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await openReceiver()
  })
  afterEach(async () => {
    expect(await receiver.reset()).toEqual({ visits: 0 })
  })
  afterAll(() => receiver.close())

  test('sends unaltered bytes and signatures and returns each result to its own delivery', async () => {
    const sender = createSender(LAB_THREAD)
    const bodies = Array.from({ length: 50 }, (_, nth) => `{"n":${nth},"é📞":"\u2028"}`)
    const results = await Promise.all(
      bodies.map((body, nth) =>
        sender.send({
          url: receiver.url(nth % 2 ? '/bytes/10' : '/status/500'),
          body,
          signature: `sha256=${nth}`,
        }),
      ),
    )
    expect(results.map(({ status, error }) => [status, error])).toEqual(
      bodies.map((_, nth) => [nth % 2 ? 200 : 500, null]),
    )
    const received = await Promise.all(receiver.bodies)
    expect(received.map(digest).sort()).toEqual(bodies.map((body) => digest(Buffer.from(body))).sort())
    await sender.close()
  })

  test('rejects disallowed addresses and returns the same errors as webhookSender', async () => {
    const sender = createSender(LAB_THREAD, { outbound: {} })
    expect(await sender.send(buildSending('{}', receiver.url('/bytes/10')))).toMatchObject({
      status: null,
      error: 'name_not_resolved',
    })
    expect(await sender.send(buildSending('{}', 'https://10.0.0.1/'))).toMatchObject({
      status: null,
      error: 'address_not_allowed',
    })
    const impatientSender = createSender(LAB_THREAD, { timeoutMs: 1 })
    expect(await impatientSender.send(buildSending('{}', receiver.url('/silent')))).toMatchObject({
      status: null,
      error: 'timeout',
    })
    await Promise.all([sender.close(), impatientSender.close()])
  })

  test('aborts deliveries in progress when it is closed, and sends nothing later', async () => {
    const sender = createSender(LAB_THREAD)
    const sending = sender.send(buildSending('{}', receiver.url('/silent')))
    await expect.poll(() => receiver.bodies.length, { timeout: 20_000 }).toBe(1)
    const closing = sender.close()
    expect(await sending).toMatchObject({ status: null, error: 'connection_closed' })
    await closing
    expect(await sender.send(buildSending('{}', receiver.url('/bytes/10')))).toMatchObject({
      status: null,
      error: 'connection_closed',
    })
    expect(sender.crashes).toEqual([])
  })
})

describe('a sending thread', () => {
  test.each([
    ['throw', 'Thrown in the thread.'],
    ['exit', 'It ended by itself.'],
  ])('that ends by %s rejects its deliveries, is reported once and is replaced', async (how, message) => {
    const { send, crashes } = createSender(FAULTY_THREAD)
    const before = await send(buildSending('before'))
    const pending = [send(buildSending('deaf')), send(buildSending(how)), send(buildSending('deaf'))]
    const outcomes = await Promise.allSettled(pending)
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.name)).toEqual(
      Array(3).fill('SenderCrashed'),
    )
    expect(crashes).toEqual([expect.objectContaining({ message })])
    const after = await send(buildSending('after'))
    expect(after).toMatchObject({ status: 200, response: expect.stringMatching(/^\d+ after$/) })
    expect(after.response!.split(' ')[0]).not.toBe(before.response!.split(' ')[0])
    expect(crashes).toHaveLength(1)
  })

  test('that cannot be loaded rejects its deliveries and is started again for later ones', async () => {
    const { send, crashes } = createSender(new URL('./threads/nowhere.ts', import.meta.url))
    await expect(send(buildSending('one'))).rejects.toThrow('The thread that was sending it ended.')
    await expect(send(buildSending('two'))).rejects.toThrow('The thread that was sending it ended.')
    expect(crashes).toHaveLength(2)
  })

  test('that does not respond does not prevent the sender from closing', async () => {
    const { send, close, crashes } = createSender(FAULTY_THREAD)
    const unresolved = send(buildSending('deaf'))
    unresolved.catch(() => {})
    await send(buildSending('loaded'))
    await Promise.all([close(), close()])
    await expect(unresolved).rejects.toThrow('The thread that was sending it ended.')
    expect(crashes).toEqual([])
  })
})

test('a sending thread is started on the first delivery and does not keep the process alive', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'threads/one-delivery.ts'),
  ])
  expect(JSON.parse(stdout)).toEqual([0, 'connection_failed', 1])
})

test('threadedSender rejects an invalid address range at once', () => {
  expect(() => threadedSender({ timeoutMs: 1, outbound: { allowCidrs: ['10/8'] } })).toThrow(
    '"10/8" is no address range.',
  )
})

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
