import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ISSUER, SECRET_KEY } from '../../bench/data.ts'
import type { FaultEnvironment } from './environment.ts'

const SERVICE = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
const TIMEOUT_MS = 15_000

/**
 * Starts the service on a file that it must refuse: with exit code 1, a single line of reason and advice, and
 * the file unchanged.
 * @param uid the user who starts the service; only root may name another
 * @throws Error describing any other behaviour
 */
export function expectStartRefused(
  { folder, databaseUrl }: Pick<FaultEnvironment, 'folder' | 'databaseUrl'>,
  fault: string,
  expectedMessage: RegExp,
  settings: Readonly<Record<string, string>> = {},
  uid?: number,
): void {
  const file = databaseUrl.slice('sqlite:'.length)
  const hashBefore = hashFile(file)
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [SERVICE], {
    cwd: folder,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    ...(uid !== undefined && { uid, gid: uid }),
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
  const [line = '', ...furtherLines] = stderr.trimEnd().split('\n')
  if (status === 1 && furtherLines.length === 0 && expectedMessage.test(line)) {
    if (hashFile(file) === hashBefore) return
    throw new Error(`With ${fault} the service refused to start, and changed the file: ${line}`)
  }
  throw new Error(
    `With ${fault} the service exited with ${status ?? signal} instead of 1 and a message like ${expectedMessage}: ${stderr || stdout}`,
  )
}

function hashFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
