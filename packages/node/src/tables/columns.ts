/**
 * Names columns by their header. Names are trimmed and unique: the second `Phone` is `Phone (2)`, and the third
 * column without a name is `Column 3`.
 */
export function nameColumns(header: readonly string[], length: number): readonly string[] {
  const names = new Set<string>()
  for (let index = 0; index < length; index++) {
    const name = header[index]?.trim() || `Column ${index + 1}`
    names.add(findFreeName(name, names))
  }
  return [...names]
}

function findFreeName(name: string, names: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; names.has(free); number++) free = `${name} (${number})`
  return free
}

/** Counts cells without the empty ones at the end. */
export function countFilled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}
