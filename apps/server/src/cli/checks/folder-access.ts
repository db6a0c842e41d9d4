import { existsSync, lstatSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Returns why a folder cannot be written to. Creates nothing: for a missing folder it checks the nearest
 * parent.
 */
export async function writeProblem(folder: string): Promise<string | undefined> {
  const nearest = nearestExisting(folder)
  try {
    // With `/.` the check fails for a file.
    await access(`${nearest}/.`, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return `${code} at ${nearest}`
  }
}

/** Returns the path or its nearest existing parent. A dangling symbolic link counts as existing. */
export function nearestExisting(path: string): string {
  return existsSync(path) || isLink(path) ? path : nearestExisting(dirname(path))
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}
