import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const runningProcesses = new Set<ChildProcess>()
const exitWork: (() => unknown)[] = []
const EXIT_TIMEOUT_MS = 5_000

process.once('exit', killChildren)

/** Registers work to run when the benchmark ends, whether it succeeds or not. */
export function onExit(work: () => unknown): void {
  exitWork.push(work)
}

let exiting: Promise<never> | undefined

/**
 * Exits after all child processes have ended and the `onExit` work is done. Only the first call counts: later
 * failures are consequences of it.
 */
export function exit(code: number, message?: string): Promise<never> {
  if (!exiting && message !== undefined) console.error(message)
  exiting ??= exitAfterCleanup(code)
  return exiting
}

async function exitAfterCleanup(code: number): Promise<never> {
  setTimeout(() => process.exit(code), EXIT_TIMEOUT_MS)
  killChildren()
  await Promise.all([...runningProcesses].map((child) => once(child, 'exit')))
  await Promise.all(exitWork.map((work) => work()))
  process.exit(code)
}

function killChildren(): void {
  for (const child of runningProcesses) child.kill('SIGKILL')
}

export interface ServerOptions {
  /** Node.js options, followed by the module to run. */
  readonly nodeArguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** The path that responds with 200 once the server is ready. Defaults to `/readyz`. */
  readonly readyPath?: string
  /** A file for the standard output. By default the output is kept for the message of a failed start only. */
  readonly outputFile?: string | undefined
}

export interface Server {
  readonly port: number
  readonly pid: number
  /** Milliseconds from spawning the process to its first response. */
  readonly startMs: number
  /**
   * Sends SIGTERM and waits for the exit.
   * @returns the exit code
   */
  stop(): Promise<number | null>
  /** Sends SIGKILL, if the process still runs, and waits for the exit. */
  kill(): Promise<void>
}

const START_TIMEOUT_MS = 120_000
const POLL_MS = 5
const OUTPUT_LENGTH = 4_000

/**
 * Starts a server on a free port and waits until it is ready.
 * @throws Error with its output if it exits or is not ready in time
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { nodeArguments, environment, folder, readyPath = '/readyz', outputFile } = options
  const port = await findFreePort()
  const env = { PATH: process.env['PATH'], ...environment, HOST: '127.0.0.1', PORT: String(port) }
  const file = outputFile === undefined ? undefined : openSync(outputFile, 'a')
  const startedAt = performance.now()
  const child = trackProcess(
    spawn(process.execPath, nodeArguments, { env, cwd: folder, stdio: ['ignore', file ?? 'pipe', 'pipe'] }),
  )
  if (file !== undefined) closeSync(file)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_LENGTH)
    })
  while (!(await isReady(port, readyPath))) {
    if (child.exitCode !== null || performance.now() > startedAt + START_TIMEOUT_MS)
      throw new Error(`${nodeArguments.at(-1)} did not start:\n${output}`)
    await sleep(POLL_MS)
  }
  const startMs = performance.now() - startedAt
  const sendSignal = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child.exitCode
  }
  return {
    port,
    pid: child.pid!,
    startMs,
    stop: () => sendSignal('SIGTERM'),
    kill: async () => void (await sendSignal('SIGKILL')),
  }
}

/** Forks a module that communicates by messages. */
export function startWorker(module: string): ChildProcess {
  return trackProcess(fork(module))
}

/**
 * Runs a program and returns its output.
 * @throws Error with the output if the program fails
 */
export async function runCommand(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const child = trackProcess(spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} failed:\n${output.join('')}`)
  return output.join('')
}

function trackProcess<C extends ChildProcess>(child: C): C {
  runningProcesses.add(child)
  child.once('exit', () => runningProcesses.delete(child))
  return child
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function isReady(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200))
    })
    request.once('error', () => resolve(false))
  })
}
