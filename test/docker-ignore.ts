import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The patterns that `docker build` excludes, and by `!` includes again. */
const PATTERNS = readFileSync(join(import.meta.dirname, '../.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Applies Docker's rule: the last pattern that matches the path or a folder above it decides. */
export function isExcluded(path: string): boolean {
  const names = path.split('/')
  const parents = names.map((_, at) => names.slice(0, at + 1).join('/'))
  const last = PATTERNS.findLast((line) => parents.some((each) => patternOf(line).test(each)))
  return last !== undefined && !last.startsWith('!')
}

/** `*` matches any characters but a slash, including a leading dot; `**` matches any folders. */
function patternOf(line: string): RegExp {
  const parts = line
    .replace(/^!/, '')
    .replaceAll('.', '\\.')
    .replaceAll(/(\*\*\/)|\*/g, (_, folders) => (folders ? '(?:.*/)?' : '[^/]*'))
  return new RegExp(`^${parts}$`)
}
