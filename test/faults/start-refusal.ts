import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ISSUER, SECRET_KEY } from '../../bench/data.ts'
import type { FaultEnvironment } from './environment.ts'

const SERVICE = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
const PATIENCE_MS = 15_000

/**
 * Starts the service on a file that it must refuse: with exit code 1, one line that says why and what to do,
 * and the file as it was.
 * @throws Error that says what it did instead
 */
export function expectStartRefused(
  { folder, databaseUrl }: Pick<FaultEnvironment, 'folder' | 'databaseUrl'>,
  fault: string,
  says: RegExp,
  settings: Readonly<Record<string, string>> = {},
): void {
  const file = databaseUrl.slice('sqlite:'.length)
  const before = hashOf(file)
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [SERVICE], {
    cwd: folder,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      BASE_URL: ISSUER,
      SECRET_KEY: SECRET_KEY.toString('base64'),
      PORT: '3999',
      ...settings,
    },
  })
  const [line = '', ...more] = stderr.trimEnd().split('\n')
  if (status === 1 && more.length === 0 && says.test(line)) {
    if (hashOf(file) === before) return
    throw new Error(`With ${fault} it refused to start, and changed the file all the same: ${line}`)
  }
  throw new Error(
    `With ${fault} it ended with ${status ?? signal} where it should have ended with 1 and said ${says}: ${stderr || stdout}`,
  )
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
