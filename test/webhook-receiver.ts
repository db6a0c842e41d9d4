import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The port in the documented receivers. */
const DOCUMENTED_PORT = '8080'
const START_MS = 20_000

export interface Receiver {
  readonly port: number
  /** Returns the lines printed so far. */
  lines(): string[]
  stop(): Promise<void>
}

/** @param args arguments before the source, such as `-e` or `-c` */
export async function startReceiver(
  program: string,
  args: readonly string[],
  source: string,
  secret: string,
): Promise<Receiver> {
  const port = await freePort()
  const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PYTHONIOENCODING: 'utf-8' }
  const child = spawn(program, [...args, source.replaceAll(DOCUMENTED_PORT, String(port))], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [printed, complaints] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const ended = once(child, 'close')
  const latest = performance.now() + START_MS
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > latest) {
      child.kill('SIGKILL')
      await ended
      throw new Error(`The receiver did not start: ${complaints}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return {
    port,
    lines: () => printed.split('\n').slice(0, -1),
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Returns the status of the response; undefined if the connection ended without one. */
export async function deliver(
  { port }: Receiver,
  body: string | Uint8Array<ArrayBuffer>,
  signature?: string,
): Promise<number | undefined> {
  const headers = {
    'content-type': 'application/json',
    ...(signature === undefined ? {} : { 'webhook-signature': signature }),
  }
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  await answer?.arrayBuffer()
  return answer?.status
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function answers(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer !== undefined
}
