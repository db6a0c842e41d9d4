import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeyedMutex, type KeyLock } from '../../src/transactions/keyed-mutex.ts'

/** What has become of some, in the order in which it did. */
function createWatcher() {
  const seen: string[] = []
  const watch = (name: string, { acquired: comes }: KeyLock) =>
    comes.then(
      () => seen.push(name),
      ({ message }: Error) => seen.push(`${name}: ${message}`),
    )
  const seenSoon = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return seen
  }
  return { watch, seenSoon }
}

const REFUSED = 'Nothing was written: others were in the way for 10 s.'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('turns come in order of arrival, one as another is left, and those of another key by themselves', async () => {
  const { watch, seenSoon } = createWatcher()
  const take = createKeyedMutex()
  const [a, b, c, other] = [take('key'), take('key'), take('key'), take('other')]
  for (const [name, turn] of Object.entries({ c, b, a, other })) void watch(name, turn)
  expect(await seenSoon()).toEqual(['a', 'other'])
  a.release()
  expect(await seenSoon()).toEqual(['a', 'other', 'b'])
  b.release()
  expect(await seenSoon()).toEqual(['a', 'other', 'b', 'c'])
  c.release()
  void watch('d', take('key'))
  expect(await seenSoon()).toEqual(['a', 'other', 'b', 'c', 'd'])
  vi.advanceTimersByTime(10_000)
  expect(await seenSoon()).toHaveLength(5)
})

test('who leaves before the turn has come hands on no turn that another has', async () => {
  const { watch, seenSoon } = createWatcher()
  const take = createKeyedMutex()
  const [a, b, c] = [take('key'), take('key'), take('key')]
  void watch('c', c)
  b.release()
  expect(await seenSoon()).toEqual([])
  a.release()
  expect(await seenSoon()).toEqual(['c'])
})

test('a turn that has come lasts until it is left', async () => {
  const { watch, seenSoon } = createWatcher()
  const take = createKeyedMutex()
  const [a, b] = [take('key'), take('key')]
  void watch('b', b)
  a.release()
  expect(await seenSoon()).toEqual(['b'])
  vi.advanceTimersByTime(9_999)
  void watch('c', take('key'))
  vi.advanceTimersByTime(1)
  expect(await seenSoon()).toEqual(['b'])
  b.release()
  expect(await seenSoon()).toEqual(['b', 'c'])
})

test('who has waited ten seconds is refused, and neither has the turn nor keeps it from those behind', async () => {
  const { watch, seenSoon } = createWatcher()
  const take = createKeyedMutex()
  const [a, b] = [take('key'), take('key')]
  void watch('b', b)
  vi.advanceTimersByTime(9_999)
  void watch('c', take('key'))
  expect(await seenSoon()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(await seenSoon()).toEqual([`b: ${REFUSED}`])
  a.release()
  expect(await seenSoon()).toEqual([`b: ${REFUSED}`, 'c'])
})
