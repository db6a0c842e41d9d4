import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { PUBLIC } from '../outbound-http/network-lab.ts'
import { buildSending, failedAttempt, receiver, useReceiver } from './sender-harness.ts'
import { DEADLINE_MS } from './test-receiver.ts'

useReceiver()

describe('a connection', () => {
  test('is kept for deliveries to the same receiver, and each of those at once has its own', async () => {
    const connections = receiver.connections.count()
    const sender = receiver.sender()
    for (let round = 0; round < 3; round++) {
      await Promise.all([
        sender.send(buildSending('/bytes/10')),
        sender.send(buildSending('/bytes/20?other')),
      ])
    }
    expect(receiver.connections.count()).toBe(connections + 2)
  })

  test('is not kept against the will of the receiver', async () => {
    receiver.answerBy((_request, response) => response.setHeader('connection', 'close').end())
    const connections = receiver.connections.count()
    const sender = receiver.sender()
    for (let call = 0; call < 3; call++)
      expect(await sender.send(buildSending('/'))).toMatchObject({ status: 200 })
    expect(receiver.connections.count()).toBe(connections + 3)
    expect(receiver.seen).toHaveLength(3)
  })

  /** Answers the first request on a connection, and closes it with `last` as soon as another comes. */
  function closeDuringRequest(last = '') {
    const used = new Set<unknown>()
    receiver.answerBy(({ socket }, response) => {
      if (used.has(socket)) return socket.end(last)
      used.add(socket)
      return response.end('first')
    })
  }

  test('that the receiver closes under a delivery makes it be sent once more, on a fresh one', async () => {
    closeDuringRequest()
    const sender = receiver.sender()
    await Promise.all([sender.send(buildSending('/')), sender.send(buildSending('/'))])
    expect(await sender.send(buildSending('/'))).toMatchObject({
      status: 200,
      error: null,
      response: 'first',
    })
    expect(receiver.seen).toHaveLength(4)
    expect((await Promise.all(receiver.bodies)).map(String)).toEqual(['{}', '{}', '{}', '{}'])
  })

  test('that breaks off within an answer does not', async () => {
    closeDuringRequest('HTTP/1.1 2')
    const sender = receiver.sender()
    await sender.send(buildSending('/'))
    expect(await sender.send(buildSending('/'))).toEqual(failedAttempt('connection_closed'))
    expect(receiver.seen).toHaveLength(2)
  })

  test('that is closed under a delivery twice does not a second time', async () => {
    let calls = 0
    receiver.answerBy(({ socket }, response) => (++calls === 1 ? response.end() : socket.destroy()))
    const sender = receiver.sender()
    await sender.send(buildSending('/'))
    expect(await sender.send(buildSending('/'))).toEqual(failedAttempt('connection_closed'))
    expect(calls).toBe(3)
  })

  test('that is closed under a delivery gives it no more time', async () => {
    let calls = 0
    const { promise: third, resolve } = Promise.withResolvers<void>()
    receiver.answerBy(({ socket }, response) => {
      calls += 1
      if (calls === 1) response.end()
      if (calls === 2) socket.destroy()
      if (calls === 3) resolve()
    })
    const sender = receiver.sender()
    await sender.send(buildSending('/'))
    const sending = sender.send(buildSending('/'))
    await third
    vi.advanceTimersByTime(DEADLINE_MS)
    expect(await sending).toEqual(failedAttempt('timeout'))
  })

  test('that was used and says nothing more is ended at the deadline, and nothing is sent again', async () => {
    const sender = receiver.sender()
    await sender.send(buildSending('/bytes/0'))
    const begun = once(receiver.server, 'request')
    const sending = sender.send(buildSending('/silent'))
    await begun
    vi.advanceTimersByTime(DEADLINE_MS)
    expect(await sending).toEqual(failedAttempt('timeout'))
    expect(receiver.seen).toHaveLength(2)
  })

  test('that the receiver closed while nothing was sent is not used', async () => {
    const sender = receiver.sender()
    await sender.send(buildSending('/bytes/0'))
    const { socket } = receiver.seen[0]!
    socket.destroy()
    await once(socket, 'close')
    expect(await sender.send(buildSending('/bytes/0'))).toMatchObject({ status: 200 })
    expect(receiver.seen).toHaveLength(2)
  })
})

describe('a sender that is closed', () => {
  test('ends what is under way, connecting or waiting for an answer', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const sender = receiver.sender({
      lookup(name) {
        if (name === 'public.lab.test') return Promise.resolve([{ address: PUBLIC, family: 4 }])
        ask()
        return new Promise(() => {})
      },
    })
    const arrived = once(receiver.server, 'request')
    const waiting = sender.send(buildSending('/silent'))
    const connecting = sender.send(buildSending('/bytes/0', 'slow.lab.test'))
    await Promise.all([arrived, asked])
    await sender.close()
    expect(await waiting).toEqual(failedAttempt('connection_closed'))
    expect(await connecting).toEqual(failedAttempt('connection_failed'))
  })

  test('sends nothing any more, and closing twice is closing once', async () => {
    const sender = receiver.sender()
    await sender.send(buildSending('/bytes/0'))
    await Promise.all([sender.close(), sender.close()])
    await sender.close()
    expect(await sender.send(buildSending('/bytes/0'))).toEqual(failedAttempt('connection_closed'))
    expect(receiver.seen).toHaveLength(1)
  })

  test('sends nothing that was begun in the same moment', async () => {
    const sender = receiver.sender()
    const sending = sender.send(buildSending('/bytes/0'))
    await sender.close()
    expect((await sending).status).toBeNull()
    expect(receiver.seen).toEqual([])
  })
})
