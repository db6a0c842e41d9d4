import { readdir, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The temporary files that this process has open; undefined where the system does not list them. */
export async function listTemporaryFiles(): Promise<readonly string[] | undefined> {
  const folder = '/proc/self/fd'
  const names = await readdir(folder).catch(() => undefined)
  if (!names) return undefined
  const targets = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => '')))
  return targets.filter(
    (target) => target.startsWith(join(tmpdir(), 'crm-')) && target.endsWith(' (deleted)'),
  )
}
