/** Runs at most `limit` jobs at once; the others wait in order of arrival. */
export function createSemaphore(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiters: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < limit) running += 1
    else await new Promise<void>((resolve) => waiters.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiters.shift()
      if (next) next()
      else running -= 1
    }
  }
}
