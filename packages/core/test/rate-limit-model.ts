import type { RateLimit, RateLimitStatus } from '../src/kernel/rate-limit.ts'

/** A counted call, with the whole seconds of the clock at the call and at its response. */
export interface CountedCall {
  readonly counter: RateLimit
  readonly called: number
  readonly answered: number
  readonly window: RateLimitStatus
  readonly isAdmitted: boolean
}

/** @throws Error with the violated rule and the calls of its window */
export function assertLimits(counted: readonly CountedCall[]): void {
  for (const calls of Map.groupBy(counted, ({ counter }) => counter.key).values()) {
    const { limit, seconds } = calls[0]!.counter
    const assert = (isTrue: boolean, rule: string) => {
      if (!isTrue) throw new Error(`${rule}\n${calls.map((each) => JSON.stringify(each)).join('\n')}`)
    }
    const windows = [...Map.groupBy(calls, ({ window }) => window.resetsAt)].sort(([a], [b]) => a - b)
    for (const [nth, [resetsAt, windowCalls]] of windows.entries()) {
      const used = windowCalls.map(({ window }) => window.used).sort((a, b) => a - b)
      assert(
        used.every((count, nth) => count === nth + 1),
        'Each call of a window is counted once.',
      )
      assert(
        windowCalls.filter(({ isAdmitted }) => isAdmitted).length === Math.min(limit, windowCalls.length),
        'The limit is the number of admitted calls.',
      )
      assert(
        nth === 0 || resetsAt >= windows[nth - 1]![0] + seconds,
        'A window opens only after the previous one has closed.',
      )
      for (const { called, answered, window } of windowCalls) {
        assert(
          called <= resetsAt && answered >= resetsAt - seconds - 1,
          'A call is counted in an open window.',
        )
        assert(
          window.retryAfterSeconds >= 1 && window.retryAfterSeconds <= seconds,
          'Retry-After is at most the length of a window.',
        )
      }
    }
  }
}
