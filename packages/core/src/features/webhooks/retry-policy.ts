import { addSeconds } from '../../kernel/instant.ts'
import type { SuccessfulDelivery } from '../../ports/outbox.ts'
import type { Attempt, Delivery } from '../../schema/delivery.ts'
import type { DeliveryPolicy } from './delivery-types.ts'
import { dropDelivery } from './drop-deliveries.ts'

/** The contract's schedule: three attempts after the first, 15 minutes apart. */
export const RETRY_SCHEDULE = { retries: 3, retrySeconds: 900 } as const

/** The number of attempts stored with a delivery. The oldest are removed. */
const MAX_ATTEMPTS_KEPT = 21

/**
 * Returns the delivery after an attempt. A 2xx marks it as delivered. Otherwise it is due again
 * `retrySeconds` after the attempt began, or dropped if no retries are left or it was marked as
 * `last_attempt`. An attempt that could not be signed is not counted, because nothing was sent.
 */
export function applyAttempt(
  delivery: Delivery,
  attempt: Attempt,
  policy: Pick<DeliveryPolicy, 'retries' | 'retrySeconds'>,
): Delivery {
  const at = addSeconds(attempt.created_at, attempt.duration_ms / 1000)
  const isSent = attempt.error !== 'not_signed'
  const after: Delivery = {
    ...delivery,
    attempts: [...delivery.attempts, toStoredAttempt(attempt)].slice(-MAX_ATTEMPTS_KEPT),
    attempts_count: delivery.attempts_count + (isSent ? 1 : 0),
    sending: false,
    updated_at: at,
  }
  if (isSuccess(attempt)) return { ...after, status: 'delivered', reason: null, due_at: null }
  if (isSent && (delivery.last_attempt || after.attempts_count > policy.retries))
    return dropDelivery(after, 'retries_exhausted', at)
  return { ...after, due_at: addSeconds(attempt.created_at, policy.retrySeconds) }
}

/**
 * Returns the changes of a successful first attempt, or undefined if the attempt failed. They do not depend
 * on the stored row.
 */
export function toFirstSuccess(
  attempt: Attempt,
): Pick<SuccessfulDelivery, 'attempt' | 'updated_at'> | undefined {
  if (!isSuccess(attempt)) return undefined
  return {
    attempt: toStoredAttempt(attempt),
    updated_at: addSeconds(attempt.created_at, attempt.duration_ms / 1000),
  }
}

function toStoredAttempt(attempt: Attempt): Attempt {
  return { ...attempt, response: sanitizeResponse(attempt.response) }
}

function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status <= 299
}

/**
 * Replaces the characters of a response that the database cannot store: null characters and lone surrogates.
 */
function sanitizeResponse(response: string | null): string | null {
  return response === null ? null : response.toWellFormed().replaceAll('\0', '\ufffd')
}
