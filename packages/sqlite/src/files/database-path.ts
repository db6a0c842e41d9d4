import { existsSync, statSync } from 'node:fs'

/**
 * Returns the path of the database file.
 * @throws TypeError for an option that is not a path
 * @throws Error of one line for a file with several names
 */
export function parsePath(options: { readonly file: string }): string {
  const { file } = Object(options) as { readonly file?: unknown }
  if (typeof file !== 'string' || file === '')
    throw new TypeError('sqliteStorage needs the option file, a path: sqliteStorage({ file: "crm.db" }).')
  if (file.startsWith(':memory:'))
    throw new TypeError(
      'sqliteStorage keeps data in a file. memoryStorage of @sales-crm/core/memory keeps none.',
    )
  assertOneName(file)
  return file
}

/**
 * SQLite names the log after the path, so each hard link would have a log of its own.
 * @throws Error of one line
 */
function assertOneName(path: string): void {
  const names = existsSync(path) && statSync(path).isFile() ? statSync(path).nlink : 1
  if (names === 1) return
  throw new Error(
    `The database ${path} has ${names} names (hard links), and each would get a log of its own. Remove the others, or make them copies.`,
  )
}
