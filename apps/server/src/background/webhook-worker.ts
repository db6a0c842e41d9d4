import type { Crm, DeliveryApi, DeliveryPolicy } from '@sales-crm/core'
import type { Clock } from '@sales-crm/core/ports'
import { type OutboundOptions, startDispatcher, threadedSender, type WebhookSender } from '@sales-crm/node'
import type { DeliveryObserver } from '../observability/delivery-observer.ts'
import { serializeError } from '../observability/redaction.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import type { DeliverySettings } from './delivery-settings.ts'

/** Time for running attempts at shutdown. It leaves time to save their outcomes. */
const STOP_MS = 7_000
/**
 * Time by which a lease outlives its attempt: 20 seconds to save the outcome, and a minute by which the clock of another
 * process may be ahead.
 */
const LEASE_MARGIN_SECONDS = 80

export interface WebhookWorkerOptions {
  readonly deliveries: DeliverySettings
  readonly outbound: OutboundOptions
  readonly now: Clock
  readonly log: ServiceLog
  readonly observer?: DeliveryObserver | undefined
  /** Replaces the sender by one that observes it. */
  readonly wrapSender?: ((sender: WebhookSender) => WebhookSender) | undefined
}

/**
 * Sends deliveries when they are due. Their addresses and contents are not logged.
 * @returns function that stops the worker: it starts no further delivery, and gives up those that are not
 *   sent within seconds, for any process to send
 */
export function startWebhookWorker(
  crm: Pick<Crm, 'deliveryApi'>,
  { deliveries, outbound, now, log, observer, wrapSender }: WebhookWorkerOptions,
): () => Promise<void> {
  const { timeoutSeconds, retrySeconds, retries } = deliveries
  const policy: DeliveryPolicy = {
    retries,
    retrySeconds,
    leaseSeconds: timeoutSeconds + LEASE_MARGIN_SECONDS,
    onFailure: (failure) =>
      log.error(
        { err: serializeError(failure) },
        'A delivery could not be signed, or its outcome not saved.',
      ),
    onDropped({ workspace_id, webhook_id, id, event, reason }) {
      observer?.onDrop(reason)
      log.warn({ workspace_id, webhook_id, delivery_id: id, event, reason }, 'A delivery was dropped.')
    },
  }
  const sender = threadedSender({
    timeoutMs: timeoutSeconds * 1000,
    outbound,
    onCrash(error) {
      log.error(
        { err: serializeError(error) },
        'The delivery thread ended. A new one is started; its deliveries will be sent again.',
      )
    },
  })
  const worker = startDispatcher({
    deliveries: observeAttempts(crm.deliveryApi(policy), observer),
    sender: wrapSender?.(sender) ?? sender,
    now,
    onDatabaseFailure(error) {
      if (error === undefined) log.info('Deliveries are being claimed again.')
      else
        log.error(
          { err: serializeError(error) },
          'Claiming deliveries failed. It will be retried until it succeeds.',
        )
    },
  })
  return () => worker.stop(STOP_MS)
}

/** Observes only what was sent: a delivery that could not be signed is no attempt. */
function observeAttempts(deliveries: DeliveryApi, observer: DeliveryObserver | undefined): DeliveryApi {
  if (!observer) return deliveries
  return {
    ...deliveries,
    async saveOutcomes(outcomes) {
      await deliveries.saveOutcomes(outcomes)
      for (const { attempt } of outcomes) observer.onAttempt(attempt)
    },
  }
}
