import type { Sample } from './load.ts'

/** A system under comparison. */
export interface Variant {
  readonly name: 'service' | 'no webhook' | 'other checkout' | 'reference' | 'pgbench' | 'directus'
  measure(seconds: number): Promise<Sample>
}

/** The samples of each variant, one per round. */
export type Samples = ReadonlyMap<Variant['name'], readonly Sample[]>

/**
 * Warms up every variant, then measures them in alternation. Each round begins with another variant, so that
 * noise affects all of them alike.
 */
export async function measureInRounds(
  variants: readonly Variant[],
  rounds: number,
  seconds: number,
): Promise<Samples> {
  for (const variant of variants) await variant.measure(seconds)
  const samples = new Map(variants.map(({ name }) => [name, [] as Sample[]]))
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < variants.length; turn += 1) {
      const { name, measure } = variants[(round + turn) % variants.length]!
      samples.get(name)!.push(await measure(seconds))
    }
  }
  return samples
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the median of the rounds' ratios. */
export function medianRatio(
  ours: readonly Sample[],
  theirs: readonly Sample[],
  quantity: keyof Sample,
): number {
  return median(ours.map((sample, round) => sample[quantity] / theirs[round]![quantity]))
}
