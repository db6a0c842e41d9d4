/**
 * Replaces the objects with an id, wherever they are in a value that the cache holds: in pages, boards, timelines and
 * inside of other records. Returns the same value if there are none.
 */
export function mapRecords<T>(value: T, id: string, change: (record: object) => object): T {
  if (Array.isArray(value)) {
    const mapped = value.map((each) => mapRecords(each, id, change))
    return mapped.some((each, index) => each !== value[index]) ? (mapped as T) : value
  }
  if (typeof value !== 'object' || value === null) return value
  if ('id' in value && value.id === id) return change(value) as T
  const entries = Object.entries(value)
  const mapped = entries.map(([name, each]) => [name, mapRecords(each, id, change)] as const)
  return mapped.some(([, each], index) => each !== entries[index]?.[1])
    ? (Object.fromEntries(mapped) as T)
    : value
}

/** Removes the objects with an id from the arrays of a value that the cache holds. */
export function removeRecords<T>(value: T, id: string): T {
  if (Array.isArray(value)) {
    const kept = value.filter((each) => !isRecord(each, id)).map((each) => removeRecords(each, id))
    const isSame = kept.length === value.length && kept.every((each, index) => each === value[index])
    return isSame ? value : (kept as T)
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const mapped = entries.map(([name, each]) => [name, removeRecords(each, id)] as const)
  return mapped.some(([, each], index) => each !== entries[index]?.[1])
    ? (Object.fromEntries(mapped) as T)
    : value
}

/** An entry of a timeline goes with its activity. */
function isRecord(value: unknown, id: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'activity' in value ? isRecord(value.activity, id) : 'id' in value && value.id === id
}
