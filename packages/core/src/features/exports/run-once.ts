import { RetryLaterError } from '../../kernel/limit-errors.ts'

const RETRY_AFTER_SECONDS = 5

/** A store may repeat a read whose snapshot the database has ended, and the text would have its beginning twice. */
export function runOnce<T, R>(work: (argument: T) => Promise<R>): (argument: T) => Promise<R> {
  let hasBegun = false
  return async (argument) => {
    if (hasBegun)
      throw new RetryLaterError(
        RETRY_AFTER_SECONDS,
        'The snapshot of an export was ended.',
        'The export was interrupted.',
      )
    hasBegun = true
    return work(argument)
  }
}
