/** One of those that are measured in turn. */
export interface Probe {
  readonly name: string
  /** How many at once; its time is a share of theirs. */
  readonly atOnce?: number
  ask(nth: number): Promise<unknown>
  /** While nobody measures. */
  after?(answer: unknown): Promise<unknown>
}

/** Milliseconds of each, one for a round. */
export type Times = ReadonlyMap<string, readonly number[]>

/** A sample is a mean of so many that it lasts about so long, and of no more than so many. */
const SAMPLE_MS = 4
const MOST = 20

let CALLS = 0

/** Each is warmed up, and then asked in every round, which each time begins with another: so noise meets all alike. */
export async function measureInTurn(probes: readonly Probe[], rounds: number): Promise<Times> {
  const times = new Map(probes.map(({ name }) => [name, [] as number[]]))
  const counts = new Map<string, number>()
  for (const probe of probes) {
    await once(probe)
    const ms = await once(probe)
    counts.set(probe.name, Math.max(1, Math.min(MOST, Math.ceil(SAMPLE_MS / (ms * (probe.atOnce ?? 1))))))
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < probes.length; turn += 1) {
      const probe = probes[(round + turn) % probes.length]!
      let sum = 0
      const count = counts.get(probe.name)!
      for (let index = 0; index < count; index += 1) sum += await once(probe)
      times.get(probe.name)!.push(sum / count)
    }
  }
  return times
}

async function once({ atOnce = 1, ask, after }: Probe): Promise<number> {
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(CALLS++)))
  const ms = (performance.now() - began) / atOnce
  if (after) for (const answer of answers) await after(answer)
  return ms
}
