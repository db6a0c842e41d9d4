import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = readFileSync(`${ROOT}/docs/backup-and-restore.md`, 'utf8')
const TIMEOUT_MS = 60_000

/**
 * Returns a command block of the backup documentation.
 * @throws Error if the page has no such block
 */
export function readCommands(database: 'SQLite' | 'PostgreSQL', heading: 'Back up' | 'Restore'): string {
  const section = PAGE.split(/^## /m).find((each) => each.startsWith(`${database}\n`))
  const part = section?.split(/^### /m).find((each) => each.startsWith(`${heading}\n`))
  const commands = /^```sh\n(.*?)^```$/ms.exec(part ?? '')?.[1]
  if (commands === undefined)
    throw new Error(`docs/backup-and-restore.md has no commands under ${database}, ${heading}.`)
  return commands
}

/**
 * Runs shell commands in the repository's root folder, up to the first that fails, and returns their output.
 * @throws Error with the output if a command fails or they take longer than a minute
 */
export async function runInShell(
  commands: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { PATH: process.env['PATH'], ...variables }
  const shell = spawn('sh', ['-euc', commands], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output: string[] = []
  for (const stream of [shell.stdout!, shell.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  const killShell = () => void process.kill(-shell.pid!, 'SIGKILL')
  const timer = setTimeout(killShell, TIMEOUT_MS)
  process.once('exit', killShell)
  const [code] = await once(shell, 'close')
  process.off('exit', killShell)
  clearTimeout(timer)
  if (code === 0) return output.join('')
  throw new Error(
    `${code === null ? `These commands took longer than ${TIMEOUT_MS / 1000} s` : 'These commands failed'}:\n${commands}${output.join('')}`,
  )
}
