import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** What is to be done when a test is over; tests that run beside others give their own. */
export type OnFinished = (end: () => void | Promise<void>) => void

export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export async function temporaryFolder(finished: OnFinished = onTestFinished): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'crm-process-test-'))
  finished(() => rm(path, { recursive: true, force: true }))
  return path
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** A script that runs beside the test, and no longer than it. */
export function runScript(
  script: string,
  args: readonly string[],
  {
    env,
    finished = onTestFinished,
  }: { readonly env?: Readonly<Record<string, string>>; readonly finished?: OnFinished | undefined } = {},
): ChildProcess {
  const child = spawn(process.execPath, [script, ...args], {
    ...(env && { env: { PATH: process.env['PATH'], ...env } }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr.on('data', (chunk) => process.stderr.write(chunk))
  finished(() => void child.kill('SIGKILL'))
  return child
}

export async function killProcess(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** A process of the service, once it listens. */
export async function startService(
  env: Readonly<Record<string, string>> & { readonly PORT: string },
  finished: OnFinished = onTestFinished,
) {
  const child = runScript(MAIN, [], { env, finished })
  const log = readLog(child)
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const address = `http://127.0.0.1:${env.PORT}`
  await log.waitForLine(`Listening on ${address}`)
  return {
    address,
    ...log,
    stderr: () => stderr,
    kill: () => killProcess(child),
    signal: (name: NodeJS.Signals) => child.kill(name),
    /** Exit code and signal, once it ends by itself. */
    waitForExit: (): Promise<unknown[]> => once(child, 'close'),
    /** Exit code and signal. */
    async stop(): Promise<unknown[]> {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      return exit
    },
  }
}

function readLog(child: ChildProcess) {
  const lines: LogLine[] = []
  const all = createInterface({ input: child.stdout! })
  let isOver = false
  const over = once(all, 'close').then(() => {
    isOver = true
  })
  all.on('line', (line) => lines.push(JSON.parse(line) as LogLine))
  return {
    lines,
    /** The first line that says so. @throws Error when the process ends without it */
    async waitForLine(msg: string): Promise<LogLine> {
      for (;;) {
        const found = lines.find((line) => line.msg === msg)
        if (found) return found
        if (isOver) throw new Error(`The process never said ${msg}`)
        await Promise.race([once(all, 'line'), over])
      }
    },
  }
}
