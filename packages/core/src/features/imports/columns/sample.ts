/** Enough to show the form of a column. */
const SAMPLE_SIZE = 500

/** The first values that are not empty, trimmed. */
export function listFilled(values: readonly string[]): readonly string[] {
  const filled: string[] = []
  for (const value of values) {
    const text = value.trim()
    if (text !== '') filled.push(text)
    if (filled.length === SAMPLE_SIZE) break
  }
  return filled
}

/** The part of values for which a condition holds, from 0 to 1; 0 for none. */
export function measureShare(values: readonly string[], holds: (value: string) => boolean): number {
  return values.length === 0 ? 0 : values.filter(holds).length / values.length
}

/** True if rows that have a value in both columns mostly have the same one. */
export function hasSameValues(
  one: readonly string[],
  other: readonly string[],
  key: (value: string) => string,
) {
  let [both, same] = [0, 0]
  for (const [row, value] of one.slice(0, SAMPLE_SIZE).entries()) {
    const [first, second] = [key(value), key(other[row] ?? '')]
    if (first === '') continue
    both += 1
    if (first === second) same += 1
  }
  return both > 0 && same / both >= MIN_SAME_SHARE
}

const MIN_SAME_SHARE = 0.9
