import { describe, expect, test, vi } from 'vitest'
import { ANSWERED, SILENT, SLOW } from './controlled-sender.ts'
import { startTestDispatcher, stopAfterEach } from './dispatcher-harness.ts'
import { runEventLoop } from './event-loop.ts'
import { buildSendings, createQueue } from './fake-queue.ts'

stopAfterEach()

describe('a dispatcher', () => {
  test('limits concurrent sends to one host', async () => {
    const queue = createQueue(...buildSendings('a', 5), ...buildSendings('b', 1))
    const { answer, getInFlight } = await startTestDispatcher(queue, { maxPerHost: 2 })
    expect(getInFlight()).toEqual(['a 0', 'a 1', 'b 0'])
    answer('b 0')
    await runEventLoop()
    expect(getInFlight()).toEqual(['a 0', 'a 1'])
    answer('a 0')
    await runEventLoop()
    expect(getInFlight()).toEqual(['a 1', 'a 2'])
  })

  test('sends four at once to an unknown webhook, and two after a timeout', async () => {
    const queue = createQueue(...buildSendings('a', 20))
    const { answer, getInFlight } = await startTestDispatcher(queue, { maxPerHost: 6 })
    expect(getInFlight()).toEqual(['a 0', 'a 1', 'a 2', 'a 3'])
    answer('a 0', { ...ANSWERED, status: 503 })
    await runEventLoop()
    expect(getInFlight()).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5', 'a 6'])
    for (const id of ['a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id, SILENT)
      await runEventLoop()
    }
    expect(getInFlight()).toEqual(['a 5', 'a 6'])
    answer('a 5', SILENT)
    await runEventLoop()
    expect(getInFlight()).toEqual(['a 6', 'a 7'])
  })

  test('sends two at once to a webhook that responds after more than a second', async () => {
    const queue = createQueue(...buildSendings('a', 20))
    const { answer, getInFlight } = await startTestDispatcher(queue)
    for (const id of ['a 0', 'a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id, SLOW)
      await runEventLoop()
    }
    expect(getInFlight()).toEqual(['a 5', 'a 6'])
    expect(queue.getSavedIds()).toHaveLength(5)
  })

  test('keeps slots for a webhook that responds while receivers of another workspace do not', async () => {
    const silent = Array.from({ length: 50 }, (_, index) => buildSendings(`silent ${index}`, 20))
    const queue = createQueue(...silent.flat(), ...buildSendings('a', 100, { workspace_id: 'other' }))
    const { answer, getInFlight } = await startTestDispatcher(queue)
    const getInFlightToA = () => getInFlight().filter((id) => id.startsWith('a '))
    expect([getInFlight().length, getInFlightToA().length]).toEqual([100, 4])
    answer('a 0')
    await runEventLoop()
    expect(getInFlightToA()).toHaveLength(32)
    for (const id of getInFlight().filter((id) => id.startsWith('silent'))) answer(id, SILENT)
    await runEventLoop()
    // Every webhook that was tried now has two slots; the others share the rest, four each.
    expect(getInFlight().length - getInFlightToA().length).toBe(96)
    for (let index = 1; index < 100; index += 1) {
      answer(`a ${index}`)
      await runEventLoop(3)
    }
    expect(queue.getSavedIds().filter((id) => id.startsWith('a '))).toHaveLength(100)
    expect(vi.getTimerCount()).toBe(1)
  })

  test('keeps slots for a webhook that responds while another one on its host hangs', async () => {
    const hanging = buildSendings('shared', 100, { webhook_id: 'hangs' })
    const queue = createQueue(
      ...hanging,
      ...buildSendings('shared', 100, { workspace_id: 'other', webhook_id: 'a' }),
    )
    const { answer, getInFlight } = await startTestDispatcher(queue)
    expect(getInFlight()).toHaveLength(8)
    for (const id of getInFlight().filter((id) => id.startsWith('hangs'))) answer(id, SILENT)
    answer('a 0')
    await runEventLoop()
    expect([getInFlight().filter((id) => id.startsWith('hangs')).length, getInFlight().length]).toEqual([
      2, 34,
    ])
    for (let index = 1; index < 100; index += 1) {
      answer(`a ${index}`)
      await runEventLoop(3)
    }
    expect(queue.getSavedIds().filter((id) => id.startsWith('a '))).toHaveLength(100)
  })

  test('claims no more for a hanging webhook that changes its host with each delivery', async () => {
    const moving = Array.from(
      { length: 40 },
      (_, index) => buildSendings(`name-${index}`, 1, { webhook_id: 'h' })[0]!,
    )
    const queue = createQueue(...moving.map((request, index) => ({ ...request, id: `h ${index}` })))
    const { answer, getInFlight } = await startTestDispatcher(queue)
    for (let index = 0; index < 30; index += 1) {
      answer(`h ${index}`, SILENT)
      await runEventLoop(3)
    }
    expect(getInFlight()).toEqual(['h 30', 'h 31'])
  })
})
