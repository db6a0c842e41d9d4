import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { LAB_CERTIFICATE, LAB_KEY } from '../../packages/node/test/guard/certificate.ts'
import { now } from './now.ts'

/** The receiver: a process of its own that says yes to everything, and when each delivery stood at its door. */
export type Notice = { readonly port: number } | { readonly arrived: number }

let telling = false

// Nobody is left to end it.
process.once('disconnect', () => process.exit())
process.on('message', (tell: boolean) => {
  telling = tell
})

const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (request, response) => {
  if (telling) process.send!({ arrived: now() } satisfies Notice)
  request.resume().once('end', () => response.end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port } satisfies Notice))
