import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { LAB_CERTIFICATE, LAB_KEY } from '../../packages/node/test/outbound-http/certificate.ts'
import { now } from './now.ts'

/** The receiver: a process of its own that says yes to everything, and when each delivery stood at its door. */
export type Notice = { readonly port: number } | { readonly arrived: number } | { readonly quiet: true }
/** Whether it is to tell of arrivals, or that it is to say when none came for a while. */
export type Order = boolean | 'quiet'

const QUIET_MS = 250

let telling = false
let latest = 0

// Nobody is left to end it.
process.once('disconnect', () => process.exit())
process.on('message', (order: Order) => {
  if (order === 'quiet') whenQuiet()
  else telling = order
})

function whenQuiet(): void {
  const left = latest + QUIET_MS - now()
  if (left > 0) setTimeout(whenQuiet, left)
  else process.send!({ quiet: true } satisfies Notice)
}

const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (request, response) => {
  latest = now()
  if (telling) process.send!({ arrived: latest } satisfies Notice)
  request.resume().once('end', () => response.end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port } satisfies Notice),
)
