import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ThreadedSenderOptions, threadedSender } from '../../src/index.ts'
import { PUBLIC } from '../outbound-http/network-lab.ts'
import { openReceiver, type Receiver } from './test-receiver.ts'

const LAB = new URL('./threads/lab.ts', import.meta.url)
const FAULTY = new URL('./threads/faulty.ts', import.meta.url)
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

describe('a sender in a thread', () => {
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await openReceiver()
  })
  afterEach(async () => {
    expect(await receiver.settled()).toEqual({ visits: 0 })
  })
  afterAll(() => receiver.close())

  test('sends the same bytes under the same signature, each with its own outcome', async () => {
    const sender = createSender(LAB)
    const bodies = Array.from({ length: 50 }, (_, nth) => `{"n":${nth},"é📞":"\u2028"}`)
    const sent = await Promise.all(
      bodies.map((body, nth) =>
        sender.send({
          url: receiver.url(nth % 2 ? '/bytes/10' : '/status/500'),
          body,
          signature: `sha256=${nth}`,
        }),
      ),
    )
    expect(sent.map(({ status, error }) => [status, error])).toEqual(
      bodies.map((_, nth) => [nth % 2 ? 200 : 500, null]),
    )
    const arrived = await Promise.all(receiver.bodies)
    expect(arrived.map(digest).sort()).toEqual(bodies.map((body) => digest(Buffer.from(body))).sort())
    await sender.close()
  })

  test('refuses what the guard refuses, and tells what failed as the other does', async () => {
    const sender = createSender(LAB, { outbound: {} })
    expect(await sender.send(buildSending('{}', receiver.url('/bytes/10')))).toMatchObject({
      status: null,
      error: 'address_not_allowed',
    })
    expect(await sender.send(buildSending('{}', 'https://10.0.0.1/'))).toMatchObject({
      status: null,
      error: 'address_not_allowed',
    })
    const short = createSender(LAB, { timeoutMs: 1 })
    expect(await short.send(buildSending('{}', receiver.url('/silent')))).toMatchObject({
      status: null,
      error: 'timeout',
    })
    await Promise.all([sender.close(), short.close()])
  })

  test('that is closed ends what is under way and tells of it, and sends nothing more', async () => {
    const sender = createSender(LAB)
    const silent = sender.send(buildSending('{}', receiver.url('/silent')))
    await expect.poll(() => receiver.bodies.length, { timeout: 20_000 }).toBe(1)
    const closing = sender.close()
    expect(await silent).toMatchObject({ status: null, error: 'connection_closed' })
    await closing
    expect(await sender.send(buildSending('{}', receiver.url('/bytes/10')))).toMatchObject({
      status: null,
      error: 'connection_closed',
    })
    expect(sender.crashes).toEqual([])
  })
})

describe('a thread that ends before its time', () => {
  test.each([
    ['throw', 'Thrown in the thread.'],
    ['exit', 'It ended by itself.'],
  ])('by %s says what is not known, is told of once, and is replaced', async (how, message) => {
    const { send, crashes } = createSender(FAULTY)
    const before = await send(buildSending('before'))
    const under = [send(buildSending('deaf')), send(buildSending(how)), send(buildSending('deaf'))]
    const outcomes = await Promise.allSettled(under)
    expect(outcomes.map((each) => each.status === 'rejected' && each.reason.name)).toEqual(
      Array(3).fill('SenderCrashed'),
    )
    expect(crashes).toEqual([expect.objectContaining({ message })])
    const after = await send(buildSending('after'))
    expect(after).toMatchObject({ status: 200, response: expect.stringMatching(/^\d+ after$/) })
    expect(after.response!.split(' ')[0]).not.toBe(before.response!.split(' ')[0])
    expect(crashes).toHaveLength(1)
  })

  test('because it cannot be loaded says the same, and is tried again with what comes later', async () => {
    const { send, crashes } = createSender(new URL('./threads/nowhere.ts', import.meta.url))
    await expect(send(buildSending('one'))).rejects.toThrow('The thread that was sending it ended.')
    await expect(send(buildSending('two'))).rejects.toThrow('The thread that was sending it ended.')
    expect(crashes).toHaveLength(2)
  })

  test('or never answers keeps nobody from closing', async () => {
    const { send, close, crashes } = createSender(FAULTY)
    const deaf = send(buildSending('deaf'))
    deaf.catch(() => {})
    await send(buildSending('loaded'))
    await Promise.all([close(), close()])
    await expect(deaf).rejects.toThrow('The thread that was sending it ended.')
    expect(crashes).toEqual([])
  })
})

test('a thread that waits for orders keeps no process alive, and none is started before the first', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'threads/one-delivery.ts'),
  ])
  expect(JSON.parse(stdout)).toEqual([0, 'connection_failed', 1])
})

test('a range that cannot be read is told at once', () => {
  expect(() => threadedSender({ timeoutMs: 1, outbound: { allowCidrs: ['10/8'] } })).toThrow(
    '"10/8" is no address range.',
  )
})

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
