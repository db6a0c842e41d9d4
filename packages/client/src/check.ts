const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/** @throws TypeError naming the first name of `options` that is not in `known`, and the closest known one */
export function checkNames(options: object, known: readonly string[], prefix = ''): void {
  const name = Object.keys(options).find((each) => !known.includes(each))
  if (name === undefined) return
  const similar = known.find((each) => isSimilar(name, each))
  const hint = similar === undefined ? `Known: ${known.join(', ')}.` : `Did you mean "${prefix}${similar}"?`
  throw new TypeError(`Unknown option "${prefix}${name}". ${hint}`)
}

/** @throws TypeError unless the value is undefined or an integer within the bounds */
export function checkInteger(name: string, value: unknown, min: number, max: number): void {
  if (value === undefined || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)) return
  throw new TypeError(`${name} must be an integer from ${min} to ${max}.`)
}

/** @throws TypeError unless the value is undefined or a function */
export function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw new TypeError(`${name} must be a function.`)
}

/**
 * Checks a token before it becomes a header: the error of `fetch` for an invalid header would contain it.
 * @throws TypeError unless the value is visible ASCII
 */
export function checkToken(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || !VISIBLE_ASCII.test(value))
    throw new TypeError(`${name} must be a non-empty string of visible ASCII characters.`)
}

/** @throws TypeError unless the value can be one segment of a path */
export function encodeId(name: string, id: unknown): string {
  const isSegment = typeof id === 'string' && !/^\.{0,2}$|\//.test(id) && id.isWellFormed()
  if (!isSegment) throw new TypeError(`${name} must be a non-empty string without "/", and not "." or "..".`)
  return encodeURIComponent(id)
}

/** True if at most a third of the letters of the longer name are inserted, removed or changed. */
function isSimilar(name: string, known: string): boolean {
  const [a, b] = [name.toLowerCase().replaceAll(/[_-]/g, ''), known.toLowerCase().replaceAll('_', '')]
  if (a.length > 40) return false
  return countEdits(a, b) <= Math.max(a.length, b.length) / 3
}

/** Levenshtein distance. */
function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min(row[j]! + Number(letter !== other), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row.at(-1)!
}
