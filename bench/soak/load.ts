import { type Access, callerOf } from './caller.ts'
import { CALLS, type Known } from './calls.ts'

/** Mixed calls without a pause: a process of its own that is told by message what to do, and says what it did. */
export interface SoakJob {
  readonly port: number
  readonly seconds: number
  /** One for each caller. */
  readonly access: readonly Access[]
  readonly known: Known
}

export type SoakOutcome = { readonly counts: Readonly<Record<string, number>> } | { readonly error: string }

/** Each as often as it weighs. */
const DRAWN = CALLS.flatMap((call) => Array.from({ length: call.weight }, () => call))

// Nobody is left to end it.
process.once('disconnect', () => process.exit())
process.on('message', (job: SoakJob) => {
  run(job).then(
    (counts) => process.send!({ counts } satisfies SoakOutcome),
    (error: unknown) =>
      process.send!({ error: error instanceof Error ? error.message : String(error) } satisfies SoakOutcome),
  )
})

async function run({ port, seconds, access, known }: SoakJob): Promise<Record<string, number>> {
  const end = performance.now() + seconds * 1000
  const counts: Record<string, number> = {}
  await Promise.all(
    access.map(async (own, index) => {
      const context = callerOf(`http://127.0.0.1:${port}`, own, known, index)
      while (performance.now() < end) {
        const { name, make } = DRAWN[Math.floor(context.roll() * DRAWN.length)]!
        await make(context)
        counts[name] = (counts[name] ?? 0) + 1
      }
    }),
  )
  return counts
}
