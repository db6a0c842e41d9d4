const DELIMITERS = [';', '\t', ',', '|'] as const

/**
 * Finds what separates the heads: the sign that is most frequent in the first row, outside quotes. Lines end in
 * LF.
 */
export function findDelimiter(text: string): string {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const character of firstRow(text)) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const countOf = (delimiter: string) => counts.get(delimiter) ?? 0
  const [best] = DELIMITERS.toSorted((a, b) => countOf(b) - countOf(a))
  return best && countOf(best) > 0 ? best : ','
}

/** The first row with content. A quoted head may have several lines. */
function firstRow(text: string): string {
  const start = Math.max(0, text.search(/[^\s;,|]/))
  let isQuoted = false
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === '\n') return text.slice(start, index)
  }
  return text.slice(start)
}
