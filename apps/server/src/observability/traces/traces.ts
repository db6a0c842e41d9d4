import { DiagLogLevel, diag, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import type { Storage } from '@sales-crm/core/ports'
import type { WebhookSender } from '@sales-crm/node'
import type { TraceRequest } from '../../http/middleware/trace-requests.ts'
import { withTimeout } from '../../process/timeout.ts'
import { instrumentStorage } from '../instrumented-storage.ts'
import { redact, serializeError } from '../redaction.ts'
import type { ServiceLog } from '../service-log.ts'
import { markFailed, runInSpan } from './span.ts'
import { traceSender } from './traced-sender.ts'
import { createTracerProvider } from './tracer-provider.ts'

export interface Traces {
  readonly traceRequest: TraceRequest
  /** Adds a span per transaction to the trace of the request that runs it. */
  traceStorage(storage: Storage): Storage
  /** Adds a span per delivery attempt. */
  traceSender(sender: WebhookSender): WebhookSender
  /** Exports the remaining spans, for a few seconds at most. Never rejects. */
  stop(): Promise<void>
}

export interface TraceOptions {
  readonly endpoint: string
  readonly serviceName: string
  readonly database: 'sqlite' | 'postgresql'
  readonly log: Pick<ServiceLog, 'info' | 'warn'>
}

/** Earlier steps of a stop may use ten of its fifteen seconds. */
const STOP_MS = 3_000
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
const HEADERS = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
}

/**
 * Starts tracing; call it once per process. Spans contain route patterns, ids and outcomes, but no path,
 * query, header, body or address: those may contain secrets and personal data.
 */
export function startTraces({ endpoint, serviceName, database, log }: TraceOptions): Traces {
  const warn = (message: string) => log.warn({ detail: redact(message) }, 'OpenTelemetry reported a problem.')
  diag.setLogger(
    { error: warn, warn: warn, info() {}, debug() {}, verbose() {} },
    { logLevel: DiagLogLevel.WARN },
  )
  const provider = createTracerProvider({ endpoint, serviceName, log })
  provider.register()
  const tracer = provider.getTracer('sales-crm')

  return {
    traceRequest(request, route, work) {
      const isKnownMethod = METHODS.has(request.method)
      const attributes = {
        'http.request.method': isKnownMethod ? request.method : '_OTHER',
        ...(route !== undefined && { 'http.route': route }),
      }
      const method = isKnownMethod ? request.method : 'HTTP'
      const span = tracer.startSpan(
        route === undefined ? method : `${method} ${route}`,
        { kind: SpanKind.SERVER, attributes },
        propagation.extract(ROOT_CONTEXT, request.headers, HEADERS),
      )
      return runInSpan(span, work, ({ status, headers }) => {
        const requestId = headers.get('X-Request-ID')
        span.setAttribute('http.response.status_code', status)
        if (requestId !== null) span.setAttribute('crm.request_id', requestId)
        if (status >= 500) markFailed(span, String(status))
      })
    },
    traceStorage: (storage) =>
      instrumentStorage(storage, (kind, run) => {
        // Background jobs poll every second; each poll would be a trace.
        if (!trace.getActiveSpan()) return run()
        const attributes = { 'db.system.name': database, 'db.operation.name': kind }
        return runInSpan(tracer.startSpan(`database ${kind}`, { kind: SpanKind.CLIENT, attributes }), run)
      }),
    traceSender: (sender) => traceSender(sender, tracer),
    async stop() {
      await withTimeout(
        provider.shutdown(),
        STOP_MS,
        () => new Error('The trace collector did not answer in time.'),
      ).catch((error: unknown) => {
        log.warn({ err: serializeError(error) }, 'The last traces could not be sent.')
      })
    },
  }
}

/** The log fields of the active trace. */
export function traceFields(): object {
  const span = trace.getActiveSpan()
  return span ? { trace_id: span.spanContext().traceId } : {}
}
