/** What a failure of the database keeps from being done. */
type Step = 'claim' | 'settle'

/**
 * Tells of the first failure, and of the success that ends the last.
 * @param onChange is given what failed, or undefined once all works again
 */
export function trackFailures(onChange: (error: unknown) => void) {
  const failing = new Set<Step>()
  return {
    isFailing: (step?: Step) => (step === undefined ? failing.size > 0 : failing.has(step)),

    /** What `work` gives, or undefined when it fails. */
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
