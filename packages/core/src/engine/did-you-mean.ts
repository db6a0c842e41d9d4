/**
 * Suggests the known name closest to `name`: within a third of its length in edits, or starting with `name`
 * as its first words. Of several, the one with the fewest edits. If the names differ in one word, that word
 * must be close: `created_after` does not suggest `updated_after`.
 */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined
  const lowerName = name.toLowerCase()
  const matches = known
    .map((candidate) => ({ candidate, edits: editDistance(lowerName, candidate) }))
    .filter(
      ({ candidate, edits }) =>
        (edits <= maxEdits(candidate) && !differsInOneWord(lowerName, candidate)) ||
        startsWithWords(candidate, lowerName),
    )
  return matches.toSorted((a, b) => a.edits - b.edits)[0]?.candidate
}

function maxEdits({ length }: string): number {
  return Math.max(1, length / 3)
}

/** True if the names consist of the same words except one. */
function differsInOneWord(name: string, candidate: string): boolean {
  const [words, others] = [name.split('_'), candidate.split('_')]
  if (words.length < 2 || words.length !== others.length) return false
  const differences = words.flatMap((word, at) => (word === others[at] ? [] : [[word, others[at]!] as const]))
  return (
    differences.length === 1 &&
    differences.every(([word, other]) => editDistance(word, other) > maxEdits(other))
  )
}

function startsWithWords(candidate: string, words: string): boolean {
  return words.length >= 3 && candidate.startsWith(`${words}_`)
}

/** Damerau–Levenshtein distance, with adjacent transpositions only. */
function editDistance(a: string, b: string): number {
  let rowBefore: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isTransposition = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const transposition = isTransposition ? rowBefore[j - 2]! + 1 : substitution
      next.push(Math.min(substitution, transposition, row[j]! + 1, next[j - 1]! + 1))
    }
    rowBefore = row
    row = next
  }
  return row[b.length]!
}
