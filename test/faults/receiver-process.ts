import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { LAB_CERTIFICATE, LAB_KEY } from '../../packages/node/test/outbound-http/certificate.ts'

/** A delivery as it was received. */
export interface ReceivedDelivery {
  readonly id: string
  readonly event: string
  readonly path: string
  /** Time of receipt in milliseconds since the epoch. */
  readonly at: number
}

export type ReceiverMessage = { readonly port: number } | { readonly deliveries: readonly ReceivedDelivery[] }
/** Asks for the deliveries from an index on, or sets whether `/silent` is answered. */
export type ReceiverCommand = { readonly from: number } | { readonly isAnswering: boolean }

/**
 * The receiver, as a process of its own. `/after/300` answers after 300 ms, `/silent` only once answering is
 * set, and every other path at once.
 */
const receivedDeliveries: ReceivedDelivery[] = []
const pendingResponses: (() => void)[] = []
let isSilent = true

// Exits with its parent process.
process.once('disconnect', () => process.exit())
process.on('message', (command: ReceiverCommand) => {
  if ('isAnswering' in command) {
    isSilent = !command.isAnswering
    if (command.isAnswering) for (const respond of pendingResponses.splice(0)) respond()
  } else process.send!({ deliveries: receivedDeliveries.slice(command.from) } satisfies ReceiverMessage)
})

const server = createServer(
  { key: LAB_KEY, cert: LAB_CERTIFICATE, keepAliveTimeout: 60_000 },
  async (request, response) => {
    const at = Date.now()
    const path = request.url ?? ''
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const { id, event } = JSON.parse(body.toString()) as { readonly id: string; readonly event: string }
    receivedDeliveries.push({ id, event, path, at })
    const respond = () => void response.end()
    if (path === '/silent' && isSilent) pendingResponses.push(respond)
    else setTimeout(respond, Number(/^\/after\/(\d+)$/.exec(path)?.[1] ?? 0))
  },
)
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port } satisfies ReceiverMessage),
)
