/**
 * Says why a database has migrations that this program does not have. Migrations are numbered, and a number is given
 * once: the same one with another name was renamed.
 */
export function describeUnknown(unknown: readonly string[], known: readonly string[]): string {
  const latest = Math.max(...known.map(numberOf))
  const renamed = unknown.flatMap((name) => {
    const present = known.find((each) => numberOf(each) === numberOf(name))
    return present === undefined ? [] : [`${name} is ${present} here`]
  })
  const names = unknown.join(', ')
  if (renamed.length > 0)
    return `The database was made by a version of this program in which migrations had other names (${renamed.join(', ')}). Run that version, or restore a backup of this one.`
  return unknown.every((name) => numberOf(name) > latest)
    ? `The database was made by a newer version of this program (it has ${names}). Run that version or a later one.`
    : `The database was made by another version of this program, whose migrations this one does not have: ${names}. Run that version, or restore a backup of this one.`
}

/** `28` of `0028_facets` */
export function numberOf(name: string): number {
  return Number.parseInt(name, 10)
}
