import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { PUBLIC } from '../outbound-http/network-lab.ts'
import { buildSending, failedAttempt, receiver, useReceiver } from './sender-harness.ts'
import { DEADLINE_MS } from './test-receiver.ts'

useReceiver()

describe('a sender connection', () => {
  test('is reused for the same receiver, but not shared by concurrent deliveries', async () => {
    const connections = receiver.connections.count()
    const sender = receiver.createSender()
    for (let round = 0; round < 3; round++) {
      await Promise.all([
        sender.send(buildSending('/bytes/10')),
        sender.send(buildSending('/bytes/20?other')),
      ])
    }
    expect(receiver.connections.count()).toBe(connections + 2)
  })

  test('is not reused when the receiver sends Connection: close', async () => {
    receiver.respondWith((_request, response) => response.setHeader('connection', 'close').end())
    const connections = receiver.connections.count()
    const sender = receiver.createSender()
    for (let call = 0; call < 3; call++)
      expect(await sender.send(buildSending('/'))).toMatchObject({ status: 200 })
    expect(receiver.connections.count()).toBe(connections + 3)
    expect(receiver.requests).toHaveLength(3)
  })

  /** Responds to the first request on a connection. On the second one, sends `lastBytes` and closes it. */
  function closeDuringRequest(lastBytes = '') {
    const usedSockets = new Set<unknown>()
    receiver.respondWith(({ socket }, response) => {
      if (usedSockets.has(socket)) return socket.end(lastBytes)
      usedSockets.add(socket)
      return response.end('first')
    })
  }

  test('that the receiver closes during a delivery causes one retry on a fresh connection', async () => {
    closeDuringRequest()
    const sender = receiver.createSender()
    await Promise.all([sender.send(buildSending('/')), sender.send(buildSending('/'))])
    expect(await sender.send(buildSending('/'))).toMatchObject({
      status: 200,
      error: null,
      response: 'first',
    })
    expect(receiver.requests).toHaveLength(4)
    expect((await Promise.all(receiver.bodies)).map(String)).toEqual(['{}', '{}', '{}', '{}'])
  })

  test('that closes in the middle of a response causes no retry', async () => {
    closeDuringRequest('HTTP/1.1 2')
    const sender = receiver.createSender()
    await sender.send(buildSending('/'))
    expect(await sender.send(buildSending('/'))).toEqual(failedAttempt('connection_closed'))
    expect(receiver.requests).toHaveLength(2)
  })

  test('that the receiver closes during a retry causes no second retry', async () => {
    let calls = 0
    receiver.respondWith(({ socket }, response) => (++calls === 1 ? response.end() : socket.destroy()))
    const sender = receiver.createSender()
    await sender.send(buildSending('/'))
    expect(await sender.send(buildSending('/'))).toEqual(failedAttempt('connection_closed'))
    expect(calls).toBe(3)
  })

  test('that the receiver closes during a delivery does not extend the deadline', async () => {
    let calls = 0
    const { promise: thirdCall, resolve } = Promise.withResolvers<void>()
    receiver.respondWith(({ socket }, response) => {
      calls += 1
      if (calls === 1) response.end()
      if (calls === 2) socket.destroy()
      if (calls === 3) resolve()
    })
    const sender = receiver.createSender()
    await sender.send(buildSending('/'))
    const sending = sender.send(buildSending('/'))
    await thirdCall
    vi.advanceTimersByTime(DEADLINE_MS)
    expect(await sending).toEqual(failedAttempt('timeout'))
  })

  test('that was reused without a response is closed at the deadline, without a retry', async () => {
    const sender = receiver.createSender()
    await sender.send(buildSending('/bytes/0'))
    const requestReceived = once(receiver.server, 'request')
    const sending = sender.send(buildSending('/silent'))
    await requestReceived
    vi.advanceTimersByTime(DEADLINE_MS)
    expect(await sending).toEqual(failedAttempt('timeout'))
    expect(receiver.requests).toHaveLength(2)
  })

  test('that the receiver closed while idle is not reused', async () => {
    const sender = receiver.createSender()
    await sender.send(buildSending('/bytes/0'))
    const { socket } = receiver.requests[0]!
    socket.destroy()
    await once(socket, 'close')
    expect(await sender.send(buildSending('/bytes/0'))).toMatchObject({ status: 200 })
    expect(receiver.requests).toHaveLength(2)
  })
})

describe('a closed sender', () => {
  test('aborts deliveries that are connecting or waiting for a response', async () => {
    const query = Promise.withResolvers<void>()
    const sender = receiver.createSender({
      lookup(name) {
        if (name === 'public.lab.test') return Promise.resolve([{ address: PUBLIC, family: 4 }])
        query.resolve()
        return new Promise(() => {})
      },
    })
    const requestReceived = once(receiver.server, 'request')
    const waiting = sender.send(buildSending('/silent'))
    const connecting = sender.send(buildSending('/bytes/0', 'slow.lab.test'))
    await Promise.all([requestReceived, query.promise])
    await sender.close()
    expect(await waiting).toEqual(failedAttempt('connection_closed'))
    expect(await connecting).toEqual(failedAttempt('connection_failed'))
  })

  test('sends nothing, and may be closed twice', async () => {
    const sender = receiver.createSender()
    await sender.send(buildSending('/bytes/0'))
    await Promise.all([sender.close(), sender.close()])
    await sender.close()
    expect(await sender.send(buildSending('/bytes/0'))).toEqual(failedAttempt('connection_closed'))
    expect(receiver.requests).toHaveLength(1)
  })

  test('does not send a delivery started just before it was closed', async () => {
    const sender = receiver.createSender()
    const sending = sender.send(buildSending('/bytes/0'))
    await sender.close()
    expect((await sending).status).toBeNull()
    expect(receiver.requests).toEqual([])
  })
})
