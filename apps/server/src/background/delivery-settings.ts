import { RETRY_SCHEDULE } from '@sales-crm/core'

/** How webhook deliveries are attempted and retried. */
export interface DeliverySettings {
  /** Time for an attempt, from 1 to 60. */
  readonly timeoutSeconds: number
  /** From the start of an attempt to the next one. */
  readonly retrySeconds: number
  /** Attempts after the first, from 0 to 20. */
  readonly retries: number
}

export const DELIVERY_BOUNDS: Readonly<Record<keyof DeliverySettings, readonly [min: number, max: number]>> =
  {
    timeoutSeconds: [1, 60],
    retrySeconds: [1, 86_400],
    retries: [0, 20],
  }

export const DEFAULT_DELIVERY_SETTINGS: DeliverySettings = {
  timeoutSeconds: 10,
  ...RETRY_SCHEDULE,
}
