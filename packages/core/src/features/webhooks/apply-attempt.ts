import { addSeconds } from '../../kernel/instant.ts'
import type { SuccessfulDelivery } from '../../ports/outbox.ts'
import type { Attempt, Delivery } from '../../schema/delivery.ts'
import type { DeliveryPolicy } from './delivery-types.ts'
import { dropDelivery } from './drop-deliveries.ts'

/** So many attempts are kept with a delivery. */
const MAX_ATTEMPTS_KEPT = 21

/**
 * A delivery after an attempt: delivered with a 2xx; else tried again a fixed time after the attempt began; dropped when the retries are
 * used up, or the attempt was the last whatever comes of it. One that could not be signed is none that counts, for nothing went out.
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

/** What a delivery becomes by a first attempt that succeeded: it depends on nothing that is stored. Undefined where the attempt did not. */
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

/** What a receiver answers is any text, and not all of it can be kept. */
function sanitizeResponse(response: string | null): string | null {
  return response === null ? null : response.toWellFormed().replaceAll('\0', '\ufffd')
}
