/** The clock, randomness and timer of the client. */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number
  /** Waits. Rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
}

export const systemRuntime: Runtime = { now: Date.now, random: Math.random, sleep }

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  return rejectOnAbort(elapsed, signal).finally(() => clearTimeout(timer))
}

/** Returns the promise's result, or rejects with the signal's reason as soon as it is aborted. */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
