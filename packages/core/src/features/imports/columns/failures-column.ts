/** The last column of a file of rows that an import has left out. It says why. */
export const FAILURES_COLUMN = 'error'

/** True for the columns of such a file, which comes back once its cells are mended. */
export function isFailuresFile(names: readonly string[]): boolean {
  return names.length > 1 && names.at(-1) === FAILURES_COLUMN
}
