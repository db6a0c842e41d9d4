import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeGuard } from '../../src/guard/guard.ts'
import { RefusedAddress } from '../../src/guard/guarded-agent.ts'
import { type Lab, names, openLab, PUBLIC } from './lab.ts'

let lab: Lab

beforeAll(async () => {
  lab = await openLab()
})

afterEach(async () => {
  expect(await lab.settled()).toEqual({ visits: 0 })
})

afterAll(() => lab.close())

describe('the agent of a guard', () => {
  test('sends other requests to public addresses, on a connection that it keeps', async () => {
    const { lookup, asked } = names({ 'public.lab.test': [[PUBLIC], ['127.0.0.2']] })
    const { agent } = lab.guard({ lookup })
    const connections = lab.connections.count()
    for (let call = 0; call < 3; call++) {
      const answer = await agent.request({ origin: `https://public.lab.test:${lab.port}`, path: '/bytes/3', method: 'POST', body: '{}' })
      expect(answer.statusCode).toBe(200)
      expect(await answer.body.bytes()).toEqual(Uint8Array.of(7, 7, 7))
      // The client gives a server one turn to close a connection before it uses it again.
      await setImmediate()
    }
    expect(lab.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST'])
    expect(asked).toEqual(['public.lab.test'])
    expect(lab.connections.count()).toBe(connections + 1)
  })

  test('looks a name up again for the next connection', async () => {
    const { lookup } = names({ 'public.lab.test': [[PUBLIC], ['127.0.0.2']] })
    const { agent } = lab.guard({ lookup })
    const call = { origin: `https://public.lab.test:${lab.port}`, path: '/hang-up', method: 'GET' } as const
    await expect(agent.request(call)).rejects.toThrow('other side closed')
    await expect(agent.request(call)).rejects.toThrow(RefusedAddress)
  })

  test.each([
    'https://127.0.0.2',
    'https://2130706434',
    'https://[::1]',
    'https://[::ffff:127.0.0.2]',
    'https://private.lab.test',
    'http://public.lab.test',
  ])('refuses %s', async (origin) => {
    const { lookup } = names({ 'public.lab.test': [[PUBLIC]], 'private.lab.test': [['127.0.0.2']] })
    const request = lab.guard({ lookup }).agent.request({ origin: `${origin}:${lab.port}`, path: '/', method: 'GET' })
    await expect(request).rejects.toThrow(RefusedAddress)
  })

  test('is closed with the guard, and so is every connection', async () => {
    const guard = lab.guard()
    const call = { origin: `https://public.lab.test:${lab.port}`, path: '/silent', method: 'GET' } as const
    const arrived = once(lab.server, 'request')
    const request = expect(guard.agent.request(call)).rejects.toThrow()
    await arrived
    await guard.close()
    await request
    await lab.connections.ended()
    await expect(guard.agent.request(call)).rejects.toThrow('destroyed')
  })

  test('closes a connection that is still being made', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { promise: answered, resolve: reply } = Promise.withResolvers<{ address: string; family: number }[]>()
    const guard = lab.guard({
      lookup() {
        ask()
        return answered
      },
    })
    const connections = lab.connections.count()
    const request = expect(
      guard.agent.request({ origin: `https://public.lab.test:${lab.port}`, path: '/', method: 'GET' }),
    ).rejects.toThrow()
    await asked
    await guard.close()
    reply([{ address: PUBLIC, family: 4 }])
    await request
    expect(lab.connections.count()).toBe(connections)
  })
})

describe('a guard', () => {
  test('asks this machine for names when it is not given another way', async () => {
    const guard = lab.guard({ lookup: undefined, allowCidrs: [] })
    const request = guard.agent.request({ origin: `https://localhost:${lab.port}`, path: '/', method: 'GET' })
    await expect(request).rejects.toThrow(RefusedAddress)
  })

  test('opens every address in development', async () => {
    const { lookup } = names({ 'anywhere.lab.test': [[PUBLIC]] })
    const guard = lab.guard({ lookup, allowPrivate: true, allowCidrs: [] })
    const fetched = await guard.fetch(`https://anywhere.lab.test:${lab.port}/bytes/1`, { deadlineMs: 5000, maxBytes: 1 })
    expect(fetched).toEqual({ bytes: Uint8Array.of(7) })
  })

  test('is not made of ranges that cannot be read', () => {
    expect(() => makeGuard({ allowPrivate: false, allowCidrs: ['10/8'] })).toThrow('"10/8" is no address range.')
  })
})
