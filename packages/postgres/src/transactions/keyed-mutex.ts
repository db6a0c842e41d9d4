import { TIMEOUTS } from '../wire/pool.ts'

export interface KeyLock {
  /** @throws Error after waiting as long as the lock timeout */
  readonly acquired: Promise<void>
  /** Releases the lock, or gives up waiting for it. */
  release(): void
}

/** Grants locks on a key one at a time, in order of arrival. */
export function createKeyedMutex(): (key: string) => KeyLock {
  /** Per key, resolves when all earlier requests have been released. */
  const tails = new Map<string, Promise<void>>()

  return (key) => {
    const previous = tails.get(key)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const tail = Promise.all([previous, released]).then(() => {
      if (tails.get(key) === tail) tails.delete(key)
    })
    tails.set(key, tail)
    return { acquired: previous ? withTimeout(previous, release) : Promise.resolve(), release }
  }
}

function withTimeout(previous: Promise<void>, release: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      release()
      reject(lockTimeoutError())
    }, TIMEOUTS.lock_timeout)
    void previous.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** The error of a lock that could not be acquired in time: nothing was written. */
export function lockTimeoutError(): Error {
  return new Error(`Nothing was written: others were in the way for ${TIMEOUTS.lock_timeout / 1000} s.`)
}
