/** What a failure of the database keeps from being done. */
type Work = 'claim' | 'settle'

/**
 * Tells of the first failure, and of the success that ends the last.
 * @param tell is given what failed, or undefined once all works again
 */
export function troubles(tell: (error: unknown) => void) {
  const failing = new Set<Work>()
  return {
    isFailing: (what?: Work) => (what === undefined ? failing.size > 0 : failing.has(what)),

    /** What `work` gives, or undefined when it fails. */
    async tried<T>(what: Work, work: () => Promise<T>): Promise<T | undefined> {
      try {
        const done = await work()
        if (failing.delete(what) && failing.size === 0) tell(undefined)
        return done
      } catch (error) {
        const isFirst = failing.size === 0
        failing.add(what)
        if (isFirst) tell(error)
        return undefined
      }
    },
  }
}
