import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Value = string | number | boolean

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  /** Code 2 is an error. */
  readonly status: { readonly code?: number }
  readonly events: readonly unknown[]
  readonly attributes: Readonly<Record<string, Value>>
  /** The attributes of the span's resource. */
  readonly resource: Readonly<Record<string, Value>>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, Value>>
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & {
        readonly attributes: readonly Attribute[]
      })[]
    }[]
  }[]
}

/** Starts a collector that receives spans by OTLP over HTTP. */
export async function startOtlpReceiver() {
  const bodies: string[] = []
  const headers: Record<string, unknown>[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const isExpected =
      request.method === 'POST' &&
      request.url === '/otlp/v1/traces' &&
      request.headers['content-type'] === 'application/json'
    if (isExpected && status === 200) bodies.push(body)
    headers.push(request.headers)
    response.writeHead(isExpected ? status : 404).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`,
    bodies,
    headers,
    respondWith(next: number) {
      status = next
    },
    spans: (): ReceivedSpan[] => bodies.flatMap(spansIn),
  }
}

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as Batch
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesIn(span.attributes),
        resource: valuesIn(resource.attributes),
      })),
    ),
  )
}

function valuesIn(attributes: readonly Attribute[]): Record<string, Value> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]!]))
}
