import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Registers a cleanup. Concurrent tests pass the hook of their own context. */
export type OnFinished = (cleanup: () => void | Promise<void>) => void

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

/** Runs a script in a child process that is killed when the test ends. */
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

/** Starts a process of the service and resolves when it listens. */
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
    /** Resolves with exit code and signal when the process ends. */
    waitForExit: (): Promise<unknown[]> => once(child, 'close'),
    /** Sends SIGTERM and resolves with exit code and signal. */
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
  let isClosed = false
  const closed = once(all, 'close').then(() => {
    isClosed = true
  })
  all.on('line', (line) => lines.push(JSON.parse(line) as LogLine))
  return {
    lines,
    /** Returns the first line with this message. @throws Error when the process ends without it */
    async waitForLine(msg: string): Promise<LogLine> {
      for (;;) {
        const found = lines.find((line) => line.msg === msg)
        if (found) return found
        if (isClosed) throw new Error(`The process ended without logging ${msg}`)
        await Promise.race([once(all, 'line'), closed])
      }
    },
  }
}
