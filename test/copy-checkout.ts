import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Copies what a clone of the repository holds, with the changes that are not committed yet. */
export function copyCheckout(folder: string, isIncluded: (path: string) => boolean = () => true): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of files.split('\0')) {
    if (file === '' || !isIncluded(file) || !existsSync(join(ROOT, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file))
  }
}
