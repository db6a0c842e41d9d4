import { DiagLogLevel, diag, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import type { Storage } from '@sales-crm/core/ports'
import type { WebhookSender } from '@sales-crm/node'
import type { Logger } from 'pino'
import type { Within } from '../app.ts'
import { failureOf, redacted } from '../errors.ts'
import { inTime } from '../in-time.ts'
import { watchedStorage } from '../watched-storage.ts'
import { makeProvider } from './provider.ts'
import { failed, inSpan } from './span.ts'
import { tracedSender } from './traced-sender.ts'

export interface Traces {
  readonly within: Within
  /** The same storage, whose transactions are spans of the request that waits for them. */
  watched(storage: Storage): Storage
  /** The same sender, each of whose attempts is a span. */
  sender(sender: WebhookSender): WebhookSender
  /** Sends what is left, as far as that can be done in seconds. Never rejects. */
  stop(): Promise<void>
}

export interface TraceOptions {
  readonly endpoint: string
  readonly serviceName: string
  readonly database: 'sqlite' | 'postgresql'
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** What comes before it at a stop may take ten seconds of fifteen. */
const STOP_MS = 3_000
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
const HEADERS = { get: (headers: Headers, name: string) => headers.get(name) ?? undefined, keys: (headers: Headers) => [...headers.keys()] }

/**
 * Traces this process, once. Spans hold what the code says, ids and outcomes: no path, query, header, body or address, for these may hold
 * secrets, and people.
 */
export function startTraces({ endpoint, serviceName, database, log }: TraceOptions): Traces {
  const say = (message: string) => log.warn({ detail: redacted(message) }, 'OpenTelemetry has something to say.')
  diag.setLogger({ error: say, warn: say, info() {}, debug() {}, verbose() {} }, { logLevel: DiagLogLevel.WARN })
  const provider = makeProvider({ endpoint, serviceName, log })
  provider.register()
  const tracer = provider.getTracer('sales-crm')

  return {
    within(request, route, work) {
      const known = METHODS.has(request.method)
      const attributes = { 'http.request.method': known ? request.method : '_OTHER', ...(route !== undefined && { 'http.route': route }) }
      const named = known ? request.method : 'HTTP'
      const span = tracer.startSpan(
        route === undefined ? named : `${named} ${route}`,
        { kind: SpanKind.SERVER, attributes },
        propagation.extract(ROOT_CONTEXT, request.headers, HEADERS),
      )
      return inSpan(span, work, ({ status, headers }) => {
        const requestId = headers.get('X-Request-ID')
        span.setAttribute('http.response.status_code', status)
        if (requestId !== null) span.setAttribute('crm.request_id', requestId)
        if (status >= 500) failed(span, String(status))
      })
    },
    watched: (storage) =>
      watchedStorage(storage, (kind, run) => {
        // What nobody waits for is looked for every second, and would be a trace each time.
        if (!trace.getActiveSpan()) return run()
        const attributes = { 'db.system.name': database, 'db.operation.name': kind }
        return inSpan(tracer.startSpan(`database ${kind}`, { kind: SpanKind.CLIENT, attributes }), run)
      }),
    sender: (sender) => tracedSender(sender, tracer),
    async stop() {
      await inTime(provider.shutdown(), STOP_MS, 'What receives the traces took too long.').catch((error: unknown) => {
        log.warn({ err: failureOf(error) }, 'The last traces could not be sent.')
      })
    },
  }
}

/** What the log says of the trace it is written in. */
export function traceFields(): object {
  const span = trace.getActiveSpan()
  return span ? { trace_id: span.spanContext().traceId } : {}
}
