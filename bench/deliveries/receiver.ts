import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { LAB_CERTIFICATE, LAB_KEY } from '../../packages/node/test/outbound-http/certificate.ts'
import { monotonicNow } from './now.ts'

/**
 * The receiver, as a process of its own: it answers 200 to every delivery and can report their times of
 * arrival.
 */
export type ReceiverNotice =
  | { readonly port: number }
  | { readonly arrived: number }
  | { readonly idle: true }
/** Sets whether arrivals are reported, or asks for a notice once no delivery has come for a while. */
export type ReceiverCommand = boolean | 'idle'

const IDLE_MS = 250

let reportsArrivals = false
let lastArrival = 0

// Exits with its parent process.
process.once('disconnect', () => process.exit())
process.on('message', (command: ReceiverCommand) => {
  if (command === 'idle') notifyWhenIdle()
  else reportsArrivals = command
})

function notifyWhenIdle(): void {
  const remainingMs = lastArrival + IDLE_MS - monotonicNow()
  if (remainingMs > 0) setTimeout(notifyWhenIdle, remainingMs)
  else process.send!({ idle: true } satisfies ReceiverNotice)
}

const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (request, response) => {
  lastArrival = monotonicNow()
  if (reportsArrivals) process.send!({ arrived: lastArrival } satisfies ReceiverNotice)
  request.resume().once('end', () => response.end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port } satisfies ReceiverNotice),
)
