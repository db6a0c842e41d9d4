import type { Crm } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import { type DispatcherOptions, startDispatcher, webhookSender } from '@sales-crm/node'
import { RECEIVER_CERTIFICATE } from './receiver-certificate.ts'

interface Service {
  readonly crm: Crm
  readonly ports: Pick<Ports, 'now'>
}

/** Starts a webhook worker in this process that can reach the tests' receivers. */
export function startTestWorker(
  { crm, ports }: Service,
  options: Partial<DispatcherOptions> = {},
): ReturnType<typeof startDispatcher> {
  return startDispatcher({
    deliveries: crm.deliveryApi({ retries: 3, retrySeconds: 900, leaseSeconds: 30 }),
    sender: webhookSender({ timeoutMs: 10_000, outbound: { allowPrivate: true }, ca: RECEIVER_CERTIFICATE }),
    now: ports.now,
    ...options,
  })
}
