import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { PUBLIC } from '../guard/lab.ts'
import { DEADLINE_MS } from './receiver.ts'
import { at, failed, receiver, useReceiver } from './sender-lab.ts'

useReceiver()

describe('a connection', () => {
  test('is kept for deliveries to the same receiver, and each of those at once has its own', async () => {
    const connections = receiver.connections.count()
    const sender = receiver.sender()
    for (let round = 0; round < 3; round++) {
      await Promise.all([sender.send(at('/bytes/10')), sender.send(at('/bytes/20?other'))])
    }
    expect(receiver.connections.count()).toBe(connections + 2)
  })

  test('is not kept against the will of the receiver', async () => {
    receiver.answerBy((_request, response) => response.setHeader('connection', 'close').end())
    const connections = receiver.connections.count()
    const sender = receiver.sender()
    for (let call = 0; call < 3; call++) expect(await sender.send(at('/'))).toMatchObject({ status: 200 })
    expect(receiver.connections.count()).toBe(connections + 3)
    expect(receiver.seen).toHaveLength(3)
  })

  /** Answers the first request on a connection, and closes it with `last` as soon as another comes. */
  function closeUnder(last = '') {
    const used = new Set<unknown>()
    receiver.answerBy(({ socket }, response) => {
      if (used.has(socket)) return socket.end(last)
      used.add(socket)
      return response.end('first')
    })
  }

  test('that the receiver closes under a delivery makes it be sent once more, on a fresh one', async () => {
    closeUnder()
    const sender = receiver.sender()
    await Promise.all([sender.send(at('/')), sender.send(at('/'))])
    expect(await sender.send(at('/'))).toMatchObject({ status: 200, error: null, response: 'first' })
    expect(receiver.seen).toHaveLength(4)
    expect((await Promise.all(receiver.bodies)).map(String)).toEqual(['{}', '{}', '{}', '{}'])
  })

  test('that breaks off within an answer does not', async () => {
    closeUnder('HTTP/1.1 2')
    const sender = receiver.sender()
    await sender.send(at('/'))
    expect(await sender.send(at('/'))).toEqual(failed('connection_closed'))
    expect(receiver.seen).toHaveLength(2)
  })

  test('that is closed under a delivery twice does not a second time', async () => {
    let calls = 0
    receiver.answerBy(({ socket }, response) => (++calls === 1 ? response.end() : socket.destroy()))
    const sender = receiver.sender()
    await sender.send(at('/'))
    expect(await sender.send(at('/'))).toEqual(failed('connection_closed'))
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
    await sender.send(at('/'))
    const sending = sender.send(at('/'))
    await third
    vi.advanceTimersByTime(DEADLINE_MS)
    expect(await sending).toEqual(failed('timeout'))
  })

  test('that was used and says nothing more is ended at the deadline, and nothing is sent again', async () => {
    const sender = receiver.sender()
    await sender.send(at('/bytes/0'))
    const begun = once(receiver.server, 'request')
    const sending = sender.send(at('/silent'))
    await begun
    vi.advanceTimersByTime(DEADLINE_MS)
    expect(await sending).toEqual(failed('timeout'))
    expect(receiver.seen).toHaveLength(2)
  })

  test('that the receiver closed while nothing was sent is not used', async () => {
    const sender = receiver.sender()
    await sender.send(at('/bytes/0'))
    const { socket } = receiver.seen[0]!
    socket.destroy()
    await once(socket, 'close')
    expect(await sender.send(at('/bytes/0'))).toMatchObject({ status: 200 })
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
    const waiting = sender.send(at('/silent'))
    const connecting = sender.send(at('/bytes/0', 'slow.lab.test'))
    await Promise.all([arrived, asked])
    await sender.close()
    expect(await waiting).toEqual(failed('connection_closed'))
    expect(await connecting).toEqual(failed('connection_failed'))
  })

  test('sends nothing any more, and closing twice is closing once', async () => {
    const sender = receiver.sender()
    await sender.send(at('/bytes/0'))
    await Promise.all([sender.close(), sender.close()])
    await sender.close()
    expect(await sender.send(at('/bytes/0'))).toEqual(failed('connection_closed'))
    expect(receiver.seen).toHaveLength(1)
  })

  test('sends nothing that was begun in the same moment', async () => {
    const sender = receiver.sender()
    const sending = sender.send(at('/bytes/0'))
    await sender.close()
    expect((await sending).status).toBeNull()
    expect(receiver.seen).toEqual([])
  })
})
