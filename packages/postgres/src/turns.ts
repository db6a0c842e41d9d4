import { TIMEOUTS } from './pool.ts'

export interface Turn {
  /** @throws Error where others are before it for longer than a lock would be waited for */
  readonly comes: Promise<void>
  /** Hands it on; where it has not come yet, once it would. */
  leave(): void
}

/** Lets who asks for the same go one after another, in order of arrival. */
export function turns(): (key: string) => Turn {
  /** When the last who asked, and all before, have left. */
  const ends = new Map<string, Promise<void>>()

  return (key) => {
    const before = ends.get(key)
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    const end = Promise.all([before, left]).then(() => {
      if (ends.get(key) === end) ends.delete(key)
    })
    ends.set(key, end)
    return { comes: before ? inTime(before, leave) : Promise.resolve(), leave }
  }
}

function inTime(before: Promise<void>, leave: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      leave()
      reject(notInTime())
    }, TIMEOUTS.lock_timeout)
    void before.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** What a lock that was not to be had is to its caller: nothing of it is there. */
export function notInTime(): Error {
  return new Error(`Nothing was written: others were in the way for ${TIMEOUTS.lock_timeout / 1000} s.`)
}
