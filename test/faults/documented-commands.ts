import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = readFileSync(`${ROOT}/docs/backup-and-restore.md`, 'utf8')
const PATIENCE_MS = 60_000

/** What the page has an operator do, as it stands there. @throws Error when it has no such commands */
export function readCommands(database: 'SQLite' | 'PostgreSQL', heading: 'Back up' | 'Restore'): string {
  const section = PAGE.split(/^## /m).find((each) => each.startsWith(`${database}\n`))
  const part = section?.split(/^### /m).find((each) => each.startsWith(`${heading}\n`))
  const commands = /^```sh\n(.*?)^```$/ms.exec(part ?? '')?.[1]
  if (commands === undefined)
    throw new Error(`docs/backup-and-restore.md has no commands under ${database}, ${heading}.`)
  return commands
}

/**
 * Runs commands in the folder of the program, up to the first that fails, and gives what they printed.
 * @throws Error with the same when one fails, or they take a minute
 */
export async function runInShell(
  commands: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { PATH: process.env['PATH'], ...environment }
  const shell = spawn('sh', ['-euc', commands], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const printed: string[] = []
  for (const stream of [shell.stdout!, shell.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  const end = () => void process.kill(-shell.pid!, 'SIGKILL')
  const timer = setTimeout(end, PATIENCE_MS)
  process.once('exit', end)
  const [code] = await once(shell, 'close')
  process.off('exit', end)
  clearTimeout(timer)
  if (code === 0) return printed.join('')
  throw new Error(
    `${code === null ? `These took more than ${PATIENCE_MS / 1000} s` : 'These failed'}:\n${commands}${printed.join('')}`,
  )
}
