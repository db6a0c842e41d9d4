import { describe, expect, test, vi } from 'vitest'
import { startTestDispatcher, stopAfterEach } from './dispatcher-harness.ts'
import { ANSWERED, buildSendings, createQueue, runEventLoop, SILENT, SLOW } from './fake-queue.ts'

stopAfterEach()

describe('a dispatcher', () => {
  test('bounds what it sends to one host at once', async () => {
    const queue = createQueue(...buildSendings('a', 5), ...buildSendings('b', 1))
    const { answer, underWay } = await startTestDispatcher(queue, { maxPerHost: 2 })
    expect(underWay()).toEqual(['a 0', 'a 1', 'b 0'])
    answer('b 0')
    await runEventLoop()
    expect(queue.claims).toHaveLength(1)
    answer('a 0')
    await runEventLoop()
    expect(underWay()).toEqual(['a 1', 'a 2'])
  })

  test('sends four at once to a webhook until it has answered, whatever it says, and two once it gave no answer', async () => {
    const queue = createQueue(...buildSendings('a', 20))
    const { answer, underWay } = await startTestDispatcher(queue, { maxPerHost: 6 })
    expect(underWay()).toEqual(['a 0', 'a 1', 'a 2', 'a 3'])
    answer('a 0', { ...ANSWERED, status: 503 })
    await runEventLoop()
    expect(underWay()).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5', 'a 6'])
    for (const id of ['a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id, SILENT)
      await runEventLoop()
    }
    expect(underWay()).toEqual(['a 5', 'a 6'])
    answer('a 5', SILENT)
    await runEventLoop()
    expect(underWay()).toEqual(['a 6', 'a 7'])
  })

  test('sends two at once to a webhook whose answers take longer than a second', async () => {
    const queue = createQueue(...buildSendings('a', 20))
    const { answer, underWay } = await startTestDispatcher(queue)
    for (const id of ['a 0', 'a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id, SLOW)
      await runEventLoop()
    }
    expect(underWay()).toEqual(['a 5', 'a 6'])
    expect(queue.settled()).toHaveLength(5)
  })

  test('leaves room for one that answers, however many receivers of another workspace keep silent', async () => {
    const silent = Array.from({ length: 50 }, (_, nth) => buildSendings(`silent ${nth}`, 20))
    const queue = createQueue(...silent.flat(), ...buildSendings('a', 100, { workspace_id: 'other' }))
    const { answer, underWay } = await startTestDispatcher(queue)
    const toA = () => underWay().filter((id) => id.startsWith('a '))
    expect([underWay().length, toA().length]).toEqual([100, 4])
    answer('a 0')
    await runEventLoop()
    expect(toA()).toHaveLength(32)
    for (const id of underWay().filter((each) => each.startsWith('silent'))) answer(id, SILENT)
    await runEventLoop()
    // Each that was tried has two places now, each that was not had four of what was left.
    expect(underWay().length - toA().length).toBe(96)
    for (let sent = 1; sent < 100; sent += 1) {
      answer(`a ${sent}`)
      await runEventLoop(3)
    }
    expect(queue.settled().filter((id) => id.startsWith('a '))).toHaveLength(100)
    expect(vi.getTimerCount()).toBe(1)
  })

  test('leaves room for a webhook that answers where another one on the same host hangs', async () => {
    const hanging = buildSendings('shared', 100, { webhook_id: 'hangs' })
    const queue = createQueue(
      ...hanging,
      ...buildSendings('shared', 100, { workspace_id: 'other', webhook_id: 'a' }),
    )
    const { answer, underWay } = await startTestDispatcher(queue)
    expect(underWay()).toHaveLength(8)
    for (const id of underWay().filter((each) => each.startsWith('hangs'))) answer(id, SILENT)
    answer('a 0')
    await runEventLoop()
    expect([underWay().filter((id) => id.startsWith('hangs')).length, underWay().length]).toEqual([2, 34])
    for (let sent = 1; sent < 100; sent += 1) {
      answer(`a ${sent}`)
      await runEventLoop(3)
    }
    expect(queue.settled().filter((id) => id.startsWith('a '))).toHaveLength(100)
  })

  test('claims no more for a webhook that hangs and moves to a new name with each delivery', async () => {
    const moving = Array.from(
      { length: 40 },
      (_, nth) => buildSendings(`name-${nth}`, 1, { webhook_id: 'h' })[0]!,
    )
    const queue = createQueue(...moving.map((each, nth) => ({ ...each, id: `h ${nth}` })))
    const { answer, underWay } = await startTestDispatcher(queue)
    for (let sent = 0; sent < 30; sent += 1) {
      answer(`h ${sent}`, SILENT)
      await runEventLoop(3)
    }
    expect(underWay()).toEqual(['h 30', 'h 31'])
  })
})
