/** Serializes a value with the keys of every object sorted, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const definedEntries = Object.entries(value).filter(([, element]) => element !== undefined)
  const entries = definedEntries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, element]) => `${JSON.stringify(key)}:${canonicalJson(element)}`).join()}}`
}
