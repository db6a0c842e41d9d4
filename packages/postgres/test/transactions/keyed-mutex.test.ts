import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeyedMutex, type KeyLock } from '../../src/transactions/keyed-mutex.ts'

/** Records in order which locks were acquired or timed out. */
function createWatcher() {
  const events: string[] = []
  const watch = (name: string, { acquired }: KeyLock) =>
    acquired.then(
      () => events.push(name),
      ({ message }: Error) => events.push(`${name}: ${message}`),
    )
  const readEvents = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return events
  }
  return { watch, readEvents }
}

const TIMED_OUT = 'Nothing was written: others were in the way for 10 s.'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('grants locks on a key in order of arrival, and locks on another key independently', async () => {
  const { watch, readEvents } = createWatcher()
  const acquire = createKeyedMutex()
  const [a, b, c, other] = [acquire('key'), acquire('key'), acquire('key'), acquire('other')]
  for (const [name, lock] of Object.entries({ c, b, a, other })) void watch(name, lock)
  expect(await readEvents()).toEqual(['a', 'other'])
  a.release()
  expect(await readEvents()).toEqual(['a', 'other', 'b'])
  b.release()
  expect(await readEvents()).toEqual(['a', 'other', 'b', 'c'])
  c.release()
  void watch('d', acquire('key'))
  expect(await readEvents()).toEqual(['a', 'other', 'b', 'c', 'd'])
  vi.advanceTimersByTime(10_000)
  expect(await readEvents()).toHaveLength(5)
})

test('a waiter that releases early does not pass on a lock held by another', async () => {
  const { watch, readEvents } = createWatcher()
  const acquire = createKeyedMutex()
  const [a, b, c] = [acquire('key'), acquire('key'), acquire('key')]
  void watch('c', c)
  b.release()
  expect(await readEvents()).toEqual([])
  a.release()
  expect(await readEvents()).toEqual(['c'])
})

test('an acquired lock lasts until its release', async () => {
  const { watch, readEvents } = createWatcher()
  const acquire = createKeyedMutex()
  const [a, b] = [acquire('key'), acquire('key')]
  void watch('b', b)
  a.release()
  expect(await readEvents()).toEqual(['b'])
  vi.advanceTimersByTime(9_999)
  void watch('c', acquire('key'))
  vi.advanceTimersByTime(1)
  expect(await readEvents()).toEqual(['b'])
  b.release()
  expect(await readEvents()).toEqual(['b', 'c'])
})

test('a waiter times out after ten seconds, and the next waiter is not affected', async () => {
  const { watch, readEvents } = createWatcher()
  const acquire = createKeyedMutex()
  const [a, b] = [acquire('key'), acquire('key')]
  void watch('b', b)
  vi.advanceTimersByTime(9_999)
  void watch('c', acquire('key'))
  expect(await readEvents()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(await readEvents()).toEqual([`b: ${TIMED_OUT}`])
  a.release()
  expect(await readEvents()).toEqual([`b: ${TIMED_OUT}`, 'c'])
})
