const PAUSE_MS = 20
const CALLERS = 6

export interface LimitedCallers {
  goTo(...ports: readonly number[]): void
  /** @throws Error when a window let more through than its limit, or refused anybody before */
  stop(): Promise<{ readonly windows: number; readonly through: number; readonly refused: number }>
}

interface WindowCounts {
  through: number
  refused: number
}

/**
 * Callers of one app that ask without pause, in turn of every process, whether or not the limit is used up.
 */
export function startLimitedCallers(token: string, limit: number, ports: readonly number[]): LimitedCallers {
  let targets = ports
  let calls = 0
  let lost = 0
  let isStopped = false
  /** By the moment at which they end, in seconds. */
  const windows = new Map<string, WindowCounts>()

  async function ask(): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${targets[calls++ % targets.length]}/v1/workspace`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    await response.arrayBuffer()
    if (response.status !== 200 && response.status !== 429)
      throw new Error(`A call was answered with ${response.status}.`)
    const ends = response.headers.get('X-RateLimit-Reset') ?? ''
    const seen = windows.get(ends) ?? { through: 0, refused: 0 }
    windows.set(ends, seen)
    seen[response.status === 200 ? 'through' : 'refused'] += 1
  }

  async function caller(): Promise<void> {
    while (!isStopped) {
      await ask().catch((error: unknown) => {
        // What fetch itself throws is a TypeError: the process was killed, and may have counted the call.
        if (!(error instanceof TypeError)) throw error
        lost += 1
      })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  const calling = Promise.all(Array.from({ length: CALLERS }, caller))
  // It is heard once they are stopped.
  calling.catch(() => {})
  return {
    goTo(...others) {
      targets = others
    },
    async stop() {
      isStopped = true
      await calling
      for (const [ends, { through, refused }] of windows) {
        const said = `Of the window that ends at ${ends}, with a limit of ${limit}, ${through} calls were let through`
        if (through > limit) throw new Error(`${said}.`)
        if (refused > 0 && through + lost < limit)
          throw new Error(`${said} and ${refused} refused, though at most ${lost} were lost.`)
      }
      const all = [...windows.values()]
      return {
        windows: all.length,
        through: all.reduce((sum, each) => sum + each.through, 0),
        refused: all.reduce((sum, each) => sum + each.refused, 0),
      }
    },
  }
}
