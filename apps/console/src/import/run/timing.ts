/** Resolves after a time, or as soon as the browser is online again. Rejects when the signal is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      removeEventListener('online', goOn)
      signal?.removeEventListener('abort', fail)
      settle()
    }
    const goOn = () => end(resolve)
    const fail = () => end(() => reject(signal?.reason))
    const timer = setTimeout(goOn, ms)
    addEventListener('online', goOn)
    signal?.addEventListener('abort', fail)
  })
}
