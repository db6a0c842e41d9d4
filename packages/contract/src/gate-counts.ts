import type { Counter, RateWindow } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Group, newId } from './case.ts'
import type { GateContext } from './gate-context.ts'

export const counts: Group<GateContext> = {
  name: 'count',
  cases: [
    {
      name: 'every call counts one, those over the limit too',
      async run({ gate }) {
        const counter = minute({ limit: 2 })
        const used = [await gate.count(counter), await gate.count(counter), await gate.count(counter)].map((window) => window.used)
        expect(used).toEqual([1, 2, 3])
      },
    },
    {
      name: 'each key has its own count',
      async run({ gate }) {
        const [one, two] = [minute(), minute()]
        const other = { ...one, key: `${one.key}:GET` }
        for (const counter of [one, one, two, other]) await gate.count(counter)
        expect([(await gate.count(one)).used, (await gate.count(two)).used, (await gate.count(other)).used]).toEqual([3, 2, 2])
      },
    },
    {
      name: 'fifty calls at once are counted one to fifty, each once',
      async run({ gate }) {
        const counter = minute()
        const windows = await Promise.all(Array.from({ length: 50 }, () => gate.count(counter)))
        expect(windows.map(({ used }) => used).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, nth) => nth + 1))
      },
    },
    {
      name: 'resets and wait are whole seconds, wait is at least 1 and at most the window, and resets is the same in all of it',
      async run({ gate }) {
        const counter = minute()
        const [first, second] = [await gate.count(counter), await gate.count(counter)]
        for (const { resets, wait } of [first, second]) {
          expect(Number.isInteger(resets), `resets ${resets}`).toBe(true)
          expect(Number.isInteger(wait), `wait ${wait}`).toBe(true)
          expect(wait, `wait ${wait}`).toBeGreaterThanOrEqual(1)
          expect(wait, `wait ${wait}`).toBeLessThanOrEqual(counter.seconds)
        }
        expect(second.resets, 'resets of the second call').toBe(first.resets)
        expect(second.wait, 'wait of the second call').toBeLessThanOrEqual(first.wait)
        expect(first.wait, 'the window has just opened').toBeGreaterThan(counter.seconds - 30)
      },
    },
    {
      name: 'the window opens with its first call, lasts its seconds, and a new one opens with the next call',
      run: reopens,
    },
  ],
}

/** A counter nobody has used. The window is long enough for a case to end in it. */
export function minute(changes: Partial<Counter> = {}): Counter {
  return { key: `app:${newId()}`, limit: 1000, seconds: 60, ...changes }
}

/**
 * A database counts by its own clock, which no test can move: then the window is of one second, and the case asks until it is
 * over. It is the only one that lets time pass.
 */
function reopens({ gate, advance }: GateContext): Promise<void> {
  return advance ? reopensAt(60, gate, advance) : reopensWithin(1, gate)
}

async function reopensAt(seconds: number, gate: GateContext['gate'], advance: (seconds: number) => void | Promise<void>): Promise<void> {
  const counter = minute({ seconds })
  await advance(7)
  const first = await gate.count(counter)
  expect(first, 'the first call').toMatchObject({ used: 1, wait: seconds })
  await advance(seconds - 1)
  expect(await gate.count(counter), 'in the last second').toEqual({ used: 2, resets: first.resets, wait: 1 })
  await advance(1)
  expect(await gate.count(counter), 'as the window closes').toEqual({ used: 1, resets: first.resets + seconds, wait: seconds })
  await advance(seconds * 10)
  expect(await gate.count(counter), 'long after').toEqual({ used: 1, resets: first.resets + seconds * 11, wait: seconds })
}

async function reopensWithin(seconds: number, gate: GateContext['gate']): Promise<void> {
  const counter = minute({ seconds })
  const first = await gate.count(counter)
  expect(first, 'the first call').toMatchObject({ used: 1, wait: 1 })
  let before: RateWindow = first
  for (;;) {
    const next = await gate.count(counter)
    if (next.used === 1) {
      expect(next.resets, 'resets of the next window').toBeGreaterThan(first.resets)
      return
    }
    expect(next, 'within the window').toEqual({ used: before.used + 1, resets: first.resets, wait: 1 })
    before = next
  }
}
