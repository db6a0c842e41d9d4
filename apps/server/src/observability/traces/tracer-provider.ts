import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import { serializeError } from '../redaction.ts'
import type { ServiceLog } from '../service-log.ts'

export interface TracerProviderOptions {
  readonly endpoint: string
  readonly serviceName: string
  readonly log: Pick<ServiceLog, 'info' | 'warn'>
}

/** Exports spans in batches. Sampler, headers and limits come from OpenTelemetry's environment variables. */
export function createTracerProvider({
  endpoint,
  serviceName,
  log,
}: TracerProviderOptions): NodeTracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const resource = defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': serviceName }))
  return new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(logExportFailures(exporter, log))],
  })
}

/** Logs once that the export fails, and once that it works again. */
function logExportFailures(exporter: OTLPTraceExporter, log: TracerProviderOptions['log']): SpanExporter {
  let isFailing = false
  return {
    export(spans, callback) {
      exporter.export(spans, ({ code, error }) => {
        const fails = code !== 0
        if (fails && !isFailing)
          log.warn({ err: serializeError(error) }, 'Traces cannot be sent. They are dropped until it works.')
        if (!fails && isFailing) log.info('Traces are sent again.')
        isFailing = fails
        // The failure is logged already: OpenTelemetry would log it for each batch.
        callback({ code: 0 })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
