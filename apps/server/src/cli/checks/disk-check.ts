import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { secretKeyFile } from '../../process/secret-key-file.ts'
import { type Settings, sqliteFile } from '../../process/settings.ts'
import type { CheckResult } from './check.ts'
import { nearestExisting } from './folder-access.ts'

const MB = 1_000_000

export async function checkDisk(settings: Settings): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(
    nearestExisting(dirname(sqliteFile(settings) ?? secretKeyFile(settings))),
  )
  const free = Math.floor((bavail * bsize) / MB)
  const status = free < 100 ? 'fail' : free < 1000 ? 'warn' : 'ok'
  return [status, `${free} MB free${status === 'ok' ? '' : '. Make room.'}`]
}
