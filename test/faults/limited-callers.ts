const PAUSE_MS = 20
const CALLER_COUNT = 6

export interface LimitedCallers {
  /** Directs later calls to these ports. */
  setPorts(...ports: readonly number[]): void
  /**
   * Stops the callers and returns the totals.
   * @throws Error if a window accepted more calls than its limit, or rejected a call below it
   */
  stop(): Promise<{ readonly windows: number; readonly accepted: number; readonly rejected: number }>
}

interface WindowCounts {
  accepted: number
  rejected: number
}

/**
 * Starts callers of one app that call the processes in turn without a pause, whether or not the limit is used
 * up.
 */
export function startLimitedCallers(token: string, limit: number, ports: readonly number[]): LimitedCallers {
  let targets = ports
  let calls = 0
  let lostCount = 0
  let isStopped = false
  /** Counts by the end of the window, in seconds. */
  const windows = new Map<string, WindowCounts>()

  async function sendCall(): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${targets[calls++ % targets.length]}/v1/workspace`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    await response.arrayBuffer()
    if (response.status !== 200 && response.status !== 429)
      throw new Error(`A call was answered ${response.status}.`)
    const windowEnd = response.headers.get('X-RateLimit-Reset') ?? ''
    const counts = windows.get(windowEnd) ?? { accepted: 0, rejected: 0 }
    windows.set(windowEnd, counts)
    counts[response.status === 200 ? 'accepted' : 'rejected'] += 1
  }

  async function runCaller(): Promise<void> {
    while (!isStopped) {
      await sendCall().catch((error: unknown) => {
        // A TypeError comes from fetch itself: the process was killed, and may have counted the call.
        if (!(error instanceof TypeError)) throw error
        lostCount += 1
      })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  const running = Promise.all(Array.from({ length: CALLER_COUNT }, runCaller))
  // `stop` reports the error.
  running.catch(() => {})
  return {
    setPorts(...newPorts) {
      targets = newPorts
    },
    async stop() {
      isStopped = true
      await running
      for (const [windowEnd, { accepted, rejected }] of windows) {
        const summary = `The window that ends at ${windowEnd}, with a limit of ${limit}, accepted ${accepted} calls`
        if (accepted > limit) throw new Error(`${summary}.`)
        if (rejected > 0 && accepted + lostCount < limit)
          throw new Error(`${summary} and rejected ${rejected}, although at most ${lostCount} were lost.`)
      }
      const all = [...windows.values()]
      return {
        windows: all.length,
        accepted: all.reduce((sum, window) => sum + window.accepted, 0),
        rejected: all.reduce((sum, window) => sum + window.rejected, 0),
      }
    },
  }
}
