import type { Attempt, Crm, DeliveryApi, DeliveryPolicy, DropReason } from '@sales-crm/core'
import type { Clock } from '@sales-crm/core/ports'
import { startDispatcher, threadedSender, type WebhookSender } from '@sales-crm/node'
import type { Logger } from 'pino'
import { serializeError } from '../http/errors.ts'
import type { Settings } from '../process/config.ts'

/** What is under way when the service stops gets this long: there must be time left to note what came of it. */
const STOP_MS = 7_000
/** A lease outlives its attempt by the time it takes to note what came of it. */
const LEASE_MARGIN_SECONDS = 20

/** Told what came of attempts once all of a batch are noted, those too that another process had taken over meanwhile. Must not throw. */
export interface DeliveryObserver {
  onAttempt(attempt: Attempt): void
  onDrop(reason: DropReason): void
}

export interface WebhookWorkerOptions {
  readonly settings: Pick<Settings, 'webhooks' | 'outbound'>
  readonly now: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly observer?: DeliveryObserver | undefined
  /** What is sent by instead of the sender: one that watches it. */
  readonly wrapSender?: ((sender: WebhookSender) => WebhookSender) | undefined
}

/**
 * Sends deliveries as they fall due. Neither where they go nor what stands in them is logged.
 * @returns what ends it: no further delivery is begun, and one that is not sent within seconds is anybody's to send
 */
export function startWebhookWorker(
  crm: Pick<Crm, 'deliveryApi'>,
  { settings, now, log, observer, wrapSender }: WebhookWorkerOptions,
): () => Promise<void> {
  const { timeoutSeconds, retrySeconds, retries } = settings.webhooks
  const policy: DeliveryPolicy = {
    retries,
    retrySeconds,
    leaseSeconds: timeoutSeconds + LEASE_MARGIN_SECONDS,
    onFailure: (failure) =>
      log.error(
        { err: serializeError(failure) },
        'A delivery could not be signed, or its outcome not be kept.',
      ),
    onDropped({ workspace_id, webhook_id, id, event, reason }) {
      observer?.onDrop(reason)
      log.warn({ workspace_id, webhook_id, delivery_id: id, event, reason }, 'A delivery was dropped.')
    },
  }
  const sender = threadedSender({
    timeoutMs: timeoutSeconds * 1000,
    outbound: settings.outbound,
    onCrash(error) {
      log.error(
        { err: serializeError(error) },
        'The thread that sends deliveries ended. Another is started; what was under way is sent again.',
      )
    },
  })
  const worker = startDispatcher({
    delivering: observeAttempts(crm.deliveryApi(policy), observer),
    sender: wrapSender?.(sender) ?? sender,
    now,
    onDatabaseFailure(error) {
      if (error === undefined) log.info('Deliveries are looked for again.')
      else
        log.error(
          { err: serializeError(error) },
          'Looking for deliveries failed. It is tried again until it works.',
        )
    },
  })
  return () => worker.stop(STOP_MS)
}

/** What could not be signed is no attempt: nothing went out. */
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
