/** A request measured in alternation with others. */
export interface Probe {
  readonly name: string
  /** Number of concurrent calls. The time is divided by it. */
  readonly concurrency?: number
  run(callNumber: number): Promise<unknown>
  /** Runs after each call, outside the measurement. */
  after?(result: unknown): Promise<unknown>
}

/** Milliseconds by probe name, one value per round. */
export type Times = ReadonlyMap<string, readonly number[]>

/** A sample is the mean of as many calls as take about `SAMPLE_MS`, and of at most `MAX_CALLS`. */
const SAMPLE_MS = 4
const MAX_CALLS = 20

let callCount = 0

/**
 * Warms up each probe, then measures all in every round. Each round begins with another probe, so that noise
 * affects all of them alike.
 */
export async function measureAlternately(probes: readonly Probe[], rounds: number): Promise<Times> {
  const times = new Map(probes.map(({ name }) => [name, [] as number[]]))
  const counts = new Map<string, number>()
  for (const probe of probes) {
    await measureCall(probe)
    const ms = await measureCall(probe)
    counts.set(
      probe.name,
      Math.max(1, Math.min(MAX_CALLS, Math.ceil(SAMPLE_MS / (ms * (probe.concurrency ?? 1))))),
    )
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < probes.length; turn += 1) {
      const probe = probes[(round + turn) % probes.length]!
      let sum = 0
      const count = counts.get(probe.name)!
      for (let index = 0; index < count; index += 1) sum += await measureCall(probe)
      times.get(probe.name)!.push(sum / count)
    }
  }
  return times
}

async function measureCall({ concurrency = 1, run, after }: Probe): Promise<number> {
  const startedAt = performance.now()
  const results = await Promise.all(Array.from({ length: concurrency }, () => run(callCount++)))
  const ms = (performance.now() - startedAt) / concurrency
  if (after) for (const result of results) await after(result)
  return ms
}
