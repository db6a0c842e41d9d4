import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

const runningProcesses = new Set<ChildProcess>()
const endings: (() => unknown)[] = []
const END_MS = 5_000

process.once('exit', kill)

/** Has something done when the benchmark ends, however it ends. */
export function atEnd(work: () => unknown): void {
  endings.push(work)
}

let endProcesses: Promise<never> | undefined

/**
 * Ends this process once nothing that it started runs, and all that `atEnd` was given is done. Only the first call counts: what
 * fails after it fails because of it.
 */
export function end(code: number, complaint?: string): Promise<never> {
  if (!endProcesses && complaint !== undefined) console.error(complaint)
  endProcesses ??= endWith(code)
  return endProcesses
}

async function endWith(code: number): Promise<never> {
  setTimeout(() => process.exit(code), END_MS)
  kill()
  await Promise.all([...runningProcesses].map((child) => once(child, 'exit')))
  await Promise.all(endings.map((each) => each()))
  process.exit(code)
}

function kill(): void {
  for (const child of runningProcesses) child.kill('SIGKILL')
}

export interface ServerOptions {
  /** The module to run, and Node's own arguments before it. */
  readonly nodeArguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** What answers well once it is ready, if not `/readyz`. */
  readonly readyPath?: string
  /** How long a start may take. */
  readonly startMs?: number
  /** Where it says why it did not start, if not on `stderr`. */
  readonly complainsOn?: 'stdout'
}

export interface Server {
  readonly port: number
  readonly pid: number
  /** Asks it to stop and waits until it has. @returns its exit code */
  stop(): Promise<number | null>
  /** Ends it at once, with no warning, if it still runs. */
  kill(): Promise<void>
}

const START_MS = 60_000

/** Starts a server of ours on a free port, and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const {
    nodeArguments,
    environment,
    folder,
    readyPath = '/readyz',
    startMs = START_MS,
    complainsOn = 'stderr',
  } = options
  const port = await freePort()
  const env = { PATH: process.env['PATH'], ...environment, HOST: '127.0.0.1', PORT: String(port) }
  const child = trackProcess(
    spawn(process.execPath, nodeArguments, { env, cwd: folder, stdio: stdioOf(complainsOn) }),
  )
  let complaints = ''
  child[complainsOn]!.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4_000)
  })
  const latest = performance.now() + startMs
  while (!(await isReady(port, readyPath))) {
    if (child.exitCode !== null || performance.now() > latest)
      throw new Error(`${nodeArguments.at(-1)} did not start:\n${complaints}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const ended = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child.exitCode
  }
  return {
    port,
    pid: child.pid!,
    stop: () => ended('SIGTERM'),
    kill: async () => void (await ended('SIGKILL')),
  }
}

/** Starts a module that talks by messages. */
export function startWorker(module: string): ChildProcess {
  return trackProcess(fork(module))
}

/** Runs a program to its end and gives all that it printed. @throws Error with the same */
export async function outputOf(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const child = trackProcess(spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const printed: string[] = []
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} failed:\n${printed.join('')}`)
  return printed.join('')
}

function trackProcess<C extends ChildProcess>(child: C): C {
  runningProcesses.add(child)
  child.once('exit', () => runningProcesses.delete(child))
  return child
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function stdioOf(complainsOn: 'stdout' | 'stderr'): ('ignore' | 'pipe')[] {
  return complainsOn === 'stdout' ? ['ignore', 'pipe', 'ignore'] : ['ignore', 'ignore', 'pipe']
}

async function isReady(port: number, path: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
  return answer?.ok ?? false
}
