import { CrmError } from '@sales-crm/core'
import { RetryLaterError } from '@sales-crm/core/ports'
import type { Context, ErrorHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { HostError, unexpectedError } from '../errors.ts'
import { type ErrorFormat, errorResponse } from '../response.ts'

const RETRY_AFTER_SECONDS = 5

/** Responds to a thrown error in the contract's format, or in that of some routes. */
export function handleErrors(
  format: ErrorFormat = (error, c) => errorResponse(error, c.get('requestId')),
): ErrorHandler<AppEnv> {
  return (thrown, c) => format(thrown instanceof CrmError ? thrown : toCrmError(thrown, c), c)
}

function toCrmError(thrown: Error, { req }: Context<AppEnv>): CrmError {
  // A long read ended because its client has gone. Nobody receives this response.
  if (req.raw.signal.aborted) return new RetryLaterError(RETRY_AFTER_SECONDS, 'The client has gone.')
  return thrown instanceof HostError ? new CrmError('internal_error', thrown.message) : unexpectedError()
}
