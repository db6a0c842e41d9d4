/**
 * Warms up every variant, then measures them in alternation. Each round begins with another variant, so that
 * noise affects all of them alike.
 * @returns the samples of each variant, one per round
 */
export async function measureInRounds<T, N extends string>(
  variants: Readonly<Record<N, () => Promise<T>>>,
  rounds: number,
): Promise<Readonly<Record<N, readonly T[]>>> {
  const names = Object.keys(variants) as N[]
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, T[]>
  for (const name of names) await variants[name]()
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length]!
      samples[name].push(await variants[name]())
    }
  }
  return samples
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the median of the rounds' ratios. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / theirs[round]!))
}
