import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

class FakeClock {
  ms = 0
  readonly now = () => this.ms
  readonly wait = async (ms: number) => {
    this.ms += ms
  }
}

test('sends the first calls at once, and the others as the window moves', async () => {
  const clock = new FakeClock()
  const pace = new Pace(3, 1000, clock)
  const times: number[] = []
  for (let call = 0; call < 7; call++) {
    await pace.take()
    times.push(clock.ms)
    clock.ms += 10
  }
  expect(times).toEqual([0, 10, 20, 1000, 1010, 1020, 2000])
})

test('estimates how long more calls take', async () => {
  const clock = new FakeClock()
  const pace = new Pace(10, 1000, clock)
  expect(pace.estimateMs(10)).toBe(0)
  for (let call = 0; call < 10; call++) await pace.take()
  expect(pace.estimateMs(20)).toBe(2000)
})
