import { expect, test } from 'vitest'
import { SharedBusyTime } from '../../src/http/limits/shared-busy-time.ts'

test('calls that run at the same time share the busy time, and idle time is nobody’s', () => {
  let busy = 0
  const time = new SharedBusyTime(() => busy)
  busy = 100
  const first = time.start()
  busy += 10
  const second = time.start()
  busy += 6
  expect(time.end(first)).toBe(10 + 3)
  busy += 5
  expect(time.end(second)).toBe(3 + 5)
  busy += 50
  expect(time.end(time.start())).toBe(0)
})
