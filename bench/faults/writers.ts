import { randomUUID } from 'node:crypto'

/** What a caller knows of a task it made: what it was told is there, and what it asked for without an answer. */
export interface Known {
  /** The last title that was acknowledged. */
  title: string
  /** A title that was sent and of which no word came back: it may be there, or not. */
  unsure: string | undefined
}

export interface Written {
  /** By id, tasks whose making was acknowledged. */
  readonly tasks: ReadonlyMap<string, Known>
  /** Titles of tasks of whose making no word came back. */
  readonly unsure: ReadonlySet<string>
  /** Answers that were a refusal, by status, and calls that got no answer at all, under 0. */
  readonly refused: ReadonlyMap<number, number>
}

export interface Writers {
  readonly written: Written
  /** From now on the calls go there: where a service was started anew, or another takes its place. */
  goTo(...ports: readonly number[]): void
  /** Once so many writes have been acknowledged since it was asked. */
  acknowledged(count: number): Promise<void>
  /** No call begins any more; resolves when none is under way. */
  stop(): Promise<Written>
}

const PATIENCE_MS = 15_000
const PAUSE_MS = 20

/** Callers that make tasks and change every second one at once, on and on, over connections that are kept, whatever becomes of the service. */
export function startWriters({
  token,
  ports,
  count = 16,
}: {
  readonly token: string
  readonly ports: readonly number[]
  readonly count?: number
}): Writers {
  let targets = ports
  let calls = 0
  let stopped = false
  const tasks = new Map<string, Known>()
  const unsure = new Set<string>()
  const refused = new Map<number, number>()
  const written: Written = { tasks, unsure, refused }
  let done = 0
  const waiting: { readonly at: number; readonly resolve: () => void }[] = []

  /** The answer's task, or `undefined` where it was refused. @throws Error where there was no word */
  async function call(method: 'POST' | 'PATCH', path: string, title: string): Promise<{ readonly id: string } | undefined> {
    const port = targets[calls++ % targets.length]!
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    if (response.ok) {
      done += 1
      for (const each of waiting.splice(0)) done >= each.at ? each.resolve() : waiting.push(each)
      return (JSON.parse(text) as { data: { id: string } }).data
    }
    refused.set(response.status, (refused.get(response.status) ?? 0) + 1)
    // Of a 5xx nobody knows what became of it.
    if (response.status >= 500) throw new Error(`${response.status}`)
    return undefined
  }

  async function lost(error: unknown): Promise<undefined> {
    const answered = error instanceof Error && /^5\d\d$/.test(error.message)
    if (!answered) refused.set(0, (refused.get(0) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return undefined
  }

  async function writer(): Promise<void> {
    for (let turn = 0; !stopped; turn += 1) {
      const title = `Made ${randomUUID()}`
      unsure.add(title)
      const made = await call('POST', '/v1/tasks', title).then(
        (task) => {
          unsure.delete(title)
          return task
        },
        (error) => lost(error),
      )
      if (!made) continue
      const known: Known = { title, unsure: undefined }
      tasks.set(made.id, known)
      if (turn % 2 === 0) continue
      known.unsure = `Changed ${randomUUID()}`
      await call('PATCH', `/v1/tasks/${made.id}`, known.unsure).then(
        (changed) => {
          if (changed) known.title = known.unsure!
          known.unsure = undefined
        },
        (error) => lost(error),
      )
    }
  }

  const writers = Array.from({ length: count }, writer)
  return {
    written,
    goTo(...others) {
      targets = others
    },
    acknowledged(more) {
      return new Promise((resolve) => waiting.push({ at: done + more, resolve }))
    },
    async stop() {
      stopped = true
      await Promise.all(writers)
      return written
    },
  }
}
