import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TIMEOUT_MS = 60_000

/**
 * Returns the first command block under the headings of a page in `docs`, the outer one first.
 * @throws Error if the page has no such block
 */
export function readCommands(page: string, ...headings: readonly string[]): string {
  const section = headings.reduce<string | undefined>(
    (text, heading, level) =>
      text?.split(new RegExp(`^#{${level + 2}} `, 'm')).find((each) => each.startsWith(`${heading}\n`)),
    readFileSync(`${ROOT}/docs/${page}`, 'utf8'),
  )
  const commands = /^ *```sh\n(.*?)^ *```$/ms.exec(section ?? '')?.[1]
  if (commands === undefined) throw new Error(`docs/${page} has no commands under ${headings.join(', ')}.`)
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
