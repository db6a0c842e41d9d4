import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { LAB_CERTIFICATE, LAB_KEY } from '../../packages/node/test/outbound-http/certificate.ts'

/** A delivery as it stood at the door. */
export interface ReceivedDelivery {
  readonly id: string
  readonly event: string
  readonly path: string
  /** By the clock of this machine, in milliseconds. */
  readonly at: number
}

export type ReceiverMessage = { readonly port: number } | { readonly heard: readonly ReceivedDelivery[] }
/** To tell what was heard from a number on, or whether to answer on `/silent` too, what is held first. */
export type ReceiverCommand = { readonly from: number } | { readonly speak: boolean }

/**
 * The receiver: a process of its own. `/after/300` says yes after 300 ms, `/silent` nothing before it is told
 * to speak, all else yes.
 */
const receivedDeliveries: ReceivedDelivery[] = []
const pendingAnswers: (() => void)[] = []
let isSilent = true

// Nobody is left to end it.
process.once('disconnect', () => process.exit())
process.on('message', (order: ReceiverCommand) => {
  if ('speak' in order) {
    isSilent = !order.speak
    if (order.speak) for (const answer of pendingAnswers.splice(0)) answer()
  } else process.send!({ heard: receivedDeliveries.slice(order.from) } satisfies ReceiverMessage)
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
    const answer = () => void response.end()
    if (path === '/silent' && isSilent) pendingAnswers.push(answer)
    else setTimeout(answer, Number(/^\/after\/(\d+)$/.exec(path)?.[1] ?? 0))
  },
)
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port } satisfies ReceiverMessage),
)
