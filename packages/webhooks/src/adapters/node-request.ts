import type { Receiver } from '../receiver.ts'

/** The part of `node:http`'s `IncomingMessage`, and of Express's `Request`, that the adapters use. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Set by a body parser of Express. */
  readonly body?: unknown
  /** True if something has read from the stream. */
  readonly readableDidRead: boolean
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterator<Uint8Array<ArrayBuffer>>
  resume(): unknown
}

export interface NodeReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** @throws Error if a parser has read the body and made no Buffer of it */
export async function receiveNodeRequest(receiver: Receiver, request: NodeRequest): Promise<NodeReply> {
  const { method = 'GET', headers, body } = request
  const isBuffer = body instanceof Uint8Array
  const signature = headers['webhook-signature']
  const response = await receiver.receive({
    method,
    headers: new Headers(typeof signature === 'string' ? { 'webhook-signature': signature } : {}),
    body: isBuffer ? new Response(new Uint8Array(body)).body : streamRequest(request),
    bodyUsed: !isBuffer && request.readableDidRead,
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}

/** Nothing is read before the first pull, so that Node.js discards a body that nobody wants. */
function streamRequest(request: NodeRequest): ReadableStream<Uint8Array<ArrayBuffer>> {
  // Destroying the request would close the connection before the response is sent.
  const chunks = request.iterator({ destroyOnReturn: false })
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return?.()
        // The rest is discarded: the client may read the response only after it has sent everything.
        request.resume()
      },
    },
    { highWaterMark: 0 },
  )
}
