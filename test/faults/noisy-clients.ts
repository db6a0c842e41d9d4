import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { OWNER_EMAIL } from '../../bench/data.ts'

export interface Target {
  readonly port: number
  readonly token: string
  /** A person with large activities. */
  readonly personId: string
  /** A person with many options of custom fields. */
  readonly customerId: string
  /** The path of a file of two megabytes. */
  readonly filePath: string
}

const RETRY_MS = 250
const ALLOWED = [200, 201, 429]
export const HOST = 'Host: crm.example\r\n'
const JSON_BODY = { 'Content-Type': 'application/json' }

/** Ten without a delay, and few more: the delay doubles with each. */
const MAX_VERIFIED_GUESSES = 20

/** Guesses one password from fifty browsers, each attempt from another address. */
export async function guessPassword({ port }: Target, signal: AbortSignal): Promise<void> {
  const url = `http://127.0.0.1:${port}/sign-in`
  const page = await fetch(url)
  const cookie = page.headers.getSetCookie()[0]!.split(';')[0]!
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())![1]!
  let [attempts, verified] = [0, 0]
  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      attempts += 1
      const address = `198.${18 + (attempts >> 16)}.${(attempts >> 8) & 255}.${attempts & 255}`
      const response = await fetch(url, {
        method: 'POST',
        headers: { Cookie: cookie, 'X-Forwarded-For': address },
        body: new URLSearchParams({ csrf, email: OWNER_EMAIL, password: `guess ${attempts}` }),
      })
      await response.text()
      if (response.status === 401) verified += 1
      else if (response.status !== 429) throw new Error(`A guess was answered ${response.status}.`)
    }
  }
  await Promise.all(Array.from({ length: 50 }, repeat))
  if (verified > MAX_VERIFIED_GUESSES)
    throw new Error(`${verified} of ${attempts} guesses at one password were verified.`)
}

interface Call {
  readonly method?: string
  readonly path: string
  readonly body?: string
}

/** Sends requests over many connections, each after the response to the last, with a pause after a 429. */
export async function repeatRequests(
  target: Target,
  connections: number,
  next: () => Call,
  signal: AbortSignal,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      const status = await send(target, next(), agent, signal)
      if (status !== undefined && !ALLOWED.includes(status))
        throw new Error(`A call of the noisy workspace was answered ${status}.`)
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat)).finally(() => agent.destroy())
}

/** Resolves to the status once the response is read; undefined if the connection was cut. */
function send(
  { port, token }: Target,
  { method = 'GET', path, body }: Call,
  agent: Agent,
  signal: AbortSignal,
) {
  return new Promise<number | undefined>((resolve) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        signal,
        headers: { Authorization: `Bearer ${token}`, ...JSON_BODY },
      },
      (response) => {
        response.resume()
        response.once('close', () => resolve(response.statusCode))
      },
    )
    call.once('error', () => resolve(undefined))
    call.end(body)
  })
}

/** Sends the text over many connections, and again over another once one is closed or has been quiet. */
export function repeatConnections(
  { port }: Target,
  count: number,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  function open(): void {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.resume()
    socket.setTimeout(RETRY_MS, () => socket.destroy())
    socket.once('error', () => {})
    socket.once('close', () => signal.aborted || open())
  }
  for (let index = 0; index < count; index += 1) open()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}

/** Keeps connections open that have sent a request and read nothing. A closed one is replaced. */
export function holdConnections(
  { port }: Target,
  count: number,
  requestText: () => string,
  signal: AbortSignal,
): Promise<void> {
  const sockets = new Set<Socket>()
  function open(): void {
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText()))
    socket.pause()
    socket.once('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      if (!signal.aborted) setTimeout(open, RETRY_MS)
    })
    sockets.add(socket)
  }
  for (let index = 0; index < count; index += 1) open()
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => {
      for (const socket of sockets) socket.destroy()
      resolve()
    }),
  )
}

export function headers({ token }: Target): string {
  return `${HOST}Authorization: Bearer ${token}\r\n`
}
