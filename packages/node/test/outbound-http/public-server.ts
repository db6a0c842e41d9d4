import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** The responses of the public test server for each path. */
export function answerRequest(request: IncomingMessage, response: ServerResponse, port: number): void {
  const [, name = '', count = ''] = (request.url ?? '').split(/[/?]/)
  const body = Buffer.alloc(Number(count) || 0, 7)
  const { socket } = response
  const handlers: Readonly<Record<string, () => unknown>> = {
    bytes: () => response.end(body),
    crumbs() {
      for (const byte of body) response.write(Uint8Array.of(byte))
      response.end()
    },
    endless() {
      response.writeHead(Number(count) || 200)
      repeat(response, () => response.write(Buffer.alloc(65_536, 7)))
    },
    gzip: () => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(10_000_000))),
    identity: () => response.setHeader('content-encoding', 'identity').end(Uint8Array.of(7)),
    redirect: () => response.writeHead(302, { location: `https://127.0.0.2:${port}/` }).end(),
    status: () => response.writeHead(Number(count)).end(),
    truncated: () =>
      response.writeHead(200, { 'content-length': 10 }).write('12345', () => socket?.destroy()),
    nonsense: () => socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
    'hang-up': () => socket?.destroy(),
    silent: () => {},
    stalled: () => response.writeHead(200, { 'content-length': 10 }).write('12345'),
    'header-drip'() {
      socket?.write('HTTP/1.1 200 OK\r\n')
      repeat(response, () => socket?.write('A'))
    },
    'header-flood'() {
      socket?.write('HTTP/1.1 200 OK\r\n')
      repeat(response, () => socket?.write(`A: ${'b'.repeat(1000)}\r\n`))
    },
    'continue-drip': () => repeat(response, () => response.writeProcessing()),
    'body-drip': () => repeat(response, () => response.write('A')),
  }
  handlers[name]?.()
}

/** Calls `action` once per event loop iteration until the response is closed. */
function repeat(response: ServerResponse, action: () => void): void {
  if (response.destroyed || response.socket?.destroyed) return
  action()
  setImmediate(() => repeat(response, action))
}
