import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectLinearizable, type RecordCall } from './record-history.ts'

const INITIAL = 'v0'

describe('the check of a history', () => {
  test('rejects a read of a value that was replaced before the read began', () => {
    const history = [write('v1', 0, 1), write('v2', 2, 3), read('v1', 6, 7)]
    expect(() => expectLinearizable(INITIAL, history)).toThrow('while the value was "v1"')
    expect(() => expectLinearizable(INITIAL, [...history, read('v2', 4, 5)])).toThrow('had replaced it')
  })

  test('rejects a write that was acknowledged and then lost', () => {
    const history = [write('v1', 0, 1), read(INITIAL, 2, 3)]
    expect(() => expectLinearizable(INITIAL, history)).toThrow('while the value was')
  })

  test('accepts a write of unknown outcome that takes effect late, or never', () => {
    expectLinearizable(INITIAL, [
      write('v1', 0, Infinity),
      write('v2', 1, 2),
      read('v2', 3, 4),
      read('v1', 5, 6),
    ])
    expectLinearizable(INITIAL, [write('v1', 0, Infinity), read(INITIAL, 3, 4)])
  })

  test('agrees with a search of all orders', () => {
    const verdicts = { accepted: 0, rejected: 0 }
    fc.assert(
      fc.property(histories, (history) => {
        const isExpected = findOrder(INITIAL, history)
        verdicts[isExpected ? 'accepted' : 'rejected'] += 1
        expect(isAccepted(history)).toBe(isExpected)
      }),
      { numRuns: 3_000 },
    )
    expect(Math.min(verdicts.accepted, verdicts.rejected)).toBeGreaterThan(300)
  })
})

function read(value: string, startedAt: number, endedAt: number): RecordCall {
  return { kind: 'read', value, startedAt, endedAt }
}

function write(value: string, startedAt: number, endedAt: number): RecordCall {
  return { kind: 'write', value, startedAt, endedAt }
}

/** Up to six calls. The n-th write has the value `vn`, and no two times are equal. */
const histories = fc
  .array(
    fc.record({
      isWrite: fc.boolean(),
      read: fc.nat({ max: 3 }),
      start: fc.nat({ max: 40 }),
      length: fc.nat({ max: 12 }),
      isUnknown: fc.nat({ max: 9 }).map((n) => n === 0),
    }),
    { maxLength: 6 },
  )
  .map((specs) => {
    let writes = 0
    return specs.map(({ isWrite, read: nth, start, length, isUnknown }, index): RecordCall => {
      const startedAt = start + index / 20
      if (!isWrite) return read(`v${nth}`, startedAt, startedAt + length + 0.01)
      writes += 1
      return write(`v${writes}`, startedAt, isUnknown ? Infinity : startedAt + length + 0.01)
    })
  })

function isAccepted(history: readonly RecordCall[]): boolean {
  try {
    expectLinearizable(INITIAL, history)
    return true
  } catch {
    return false
  }
}

/** Returns true if the calls can take effect one after another. Writes of unknown outcome may be left out. */
function findOrder(value: string, remaining: readonly RecordCall[]): boolean {
  const required = remaining.filter(({ endedAt }) => endedAt !== Infinity)
  if (required.length === 0) return true
  const firstEnd = Math.min(...required.map(({ endedAt }) => endedAt))
  return remaining.some((call) => {
    if (call.startedAt > firstEnd || (call.kind === 'read' && call.value !== value)) return false
    return findOrder(
      call.value,
      remaining.filter((each) => each !== call),
    )
  })
}
