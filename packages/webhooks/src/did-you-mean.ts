/** Returns the known name with the fewest edits, at most a third of its length. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  return known
    .map((candidate) => ({ candidate, edits: editDistance(name.toLowerCase(), candidate) }))
    .filter(({ candidate, edits }) => edits <= candidate.length / 3)
    .toSorted((a, b) => a.edits - b.edits)[0]?.candidate
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
