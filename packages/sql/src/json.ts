/**
 * Parses a JSON column. Most lists and objects of a record are empty, and a call of the parser costs more
 * than this check.
 */
export function parseJson(text: string): unknown {
  if (text === '[]') return []
  return text === '{}' ? {} : JSON.parse(text)
}
