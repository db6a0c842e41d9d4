import { ROOT_CONTEXT, SpanKind, type Tracer } from '@opentelemetry/api'
import type { DeliveryRequest } from '@sales-crm/core'
import type { WebhookSender } from '@sales-crm/node'
import { markFailed, runInSpan } from './span.ts'

/** Creates a trace per attempt. It names the delivery but not the URL. */
export function traceSender(sender: WebhookSender, tracer: Tracer): WebhookSender {
  return {
    send(delivery: DeliveryRequest) {
      const { workspace_id, webhook_id, id, event } = delivery
      const attributes = {
        'http.request.method': 'POST',
        'crm.workspace_id': workspace_id,
        'crm.webhook_id': webhook_id,
        'crm.delivery_id': id,
        'crm.event': event,
      }
      const span = tracer.startSpan(`deliver ${event}`, { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT)
      return runInSpan(
        span,
        () => sender.send(delivery),
        ({ status, error }) => {
          if (status !== null) span.setAttribute('http.response.status_code', status)
          if (error !== null || status === null || status < 200 || status > 299)
            markFailed(span, error ?? String(status))
        },
      )
    },
    close: () => sender.close(),
  }
}
