/** Database operations of the dispatcher. */
type Step = 'claim' | 'save'

/**
 * Tracks which steps are failing.
 * @param onChange called with the first error, and with `undefined` once all steps succeed again
 */
export function trackFailures(onChange: (error: unknown) => void) {
  const failing = new Set<Step>()
  return {
    isFailing: (step?: Step) => (step === undefined ? failing.size > 0 : failing.has(step)),

    /** Returns the result of `work`, or `undefined` when it rejects. */
    async run<T>(step: Step, work: () => Promise<T>): Promise<T | undefined> {
      try {
        const result = await work()
        if (failing.delete(step) && failing.size === 0) onChange(undefined)
        return result
      } catch (error) {
        const isFirst = failing.size === 0
        failing.add(step)
        if (isFirst) onChange(error)
        return undefined
      }
    },
  }
}
