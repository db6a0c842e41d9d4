import { TIMEOUTS } from '../wire/pool.ts'

export interface KeyLock {
  /** @throws Error where others are before it for longer than a lock would be waited for */
  readonly acquired: Promise<void>
  /** Hands it on; where it has not come yet, once it would. */
  release(): void
}

/** Lets who asks for the same go one after another, in order of arrival. */
export function createKeyedMutex(): (key: string) => KeyLock {
  /** When the last who asked, and all before, have left. */
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

/** What a lock that was not to be had is to its caller: nothing of it is there. */
export function lockTimeoutError(): Error {
  return new Error(`Nothing was written: others were in the way for ${TIMEOUTS.lock_timeout / 1000} s.`)
}
