import type { RateLimit, RateLimitStatus } from '../src/kernel/rate-limit.ts'

/** A call that was counted, by the whole second of the clock when it was made and when it was answered. */
export interface CountedCall {
  readonly counter: RateLimit
  readonly called: number
  readonly answered: number
  readonly window: RateLimitStatus
  readonly isAdmitted: boolean
}

/** @throws Error that names the rule that was broken, and the window that it was broken for */
export function assertLimits(counted: readonly CountedCall[]): void {
  for (const all of Map.groupBy(counted, ({ counter }) => counter.key).values()) {
    const { limit, seconds } = all[0]!.counter
    const assert = (isSo: boolean, rule: string) => {
      if (!isSo) throw new Error(`${rule}\n${all.map((each) => JSON.stringify(each)).join('\n')}`)
    }
    const windows = [...Map.groupBy(all, ({ window }) => window.resetsAt)].sort(([a], [b]) => a - b)
    for (const [nth, [resets, of]] of windows.entries()) {
      const used = of.map(({ window }) => window.used).sort((a, b) => a - b)
      assert(
        used.every((count, nth) => count === nth + 1),
        'Each call in a window is counted once.',
      )
      assert(
        of.filter(({ isAdmitted }) => isAdmitted).length === Math.min(limit, of.length),
        'As many are admitted as the limit says.',
      )
      assert(
        nth === 0 || resets >= windows[nth - 1]![0] + seconds,
        'A window opens once the one before has closed.',
      )
      for (const { called, answered, window } of of) {
        assert(
          called <= resets && answered >= resets - seconds - 1,
          'A call is counted in a window that is open.',
        )
        assert(
          window.retryAfterSeconds >= 1 && window.retryAfterSeconds <= seconds,
          'Nobody waits longer than a window lasts.',
        )
      }
    }
  }
}
