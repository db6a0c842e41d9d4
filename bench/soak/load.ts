import { type Access, createCaller } from './caller.ts'
import { CALLS, type KnownIds } from './calls.ts'

/**
 * Sends mixed calls without a pause, as a process of its own: it receives a job by message and replies with
 * counts.
 */
export interface SoakJob {
  readonly port: number
  readonly seconds: number
  /** Credentials of each caller. */
  readonly access: readonly Access[]
  readonly knownIds: KnownIds
}

export type SoakOutcome = { readonly counts: Readonly<Record<string, number>> } | { readonly error: string }

/** Each call, repeated according to its weight. */
const WEIGHTED_CALLS = CALLS.flatMap((call) => Array.from({ length: call.weight }, () => call))

// Exits with its parent process.
process.once('disconnect', () => process.exit())
process.on('message', (job: SoakJob) => {
  runJob(job).then(
    (counts) => process.send!({ counts } satisfies SoakOutcome),
    (error: unknown) =>
      process.send!({ error: error instanceof Error ? error.message : String(error) } satisfies SoakOutcome),
  )
})

async function runJob({ port, seconds, access, knownIds }: SoakJob): Promise<Record<string, number>> {
  const end = performance.now() + seconds * 1000
  const counts: Record<string, number> = {}
  await Promise.all(
    access.map(async (credentials, index) => {
      const context = createCaller(`http://127.0.0.1:${port}`, credentials, knownIds, index)
      while (performance.now() < end) {
        const { name, run: runCall } = WEIGHTED_CALLS[Math.floor(context.random() * WEIGHTED_CALLS.length)]!
        await runCall(context)
        counts[name] = (counts[name] ?? 0) + 1
      }
    }),
  )
  return counts
}
