import { CrmError } from '@sales-crm/core'
import type { ErrorHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { HostError, unexpectedError } from '../errors.ts'
import { type ErrorFormat, errorResponse } from '../response.ts'

/** Responds to a thrown error in the contract's format, or in that of some routes. */
export function handleErrors(
  format: ErrorFormat = (error, c) => errorResponse(error, c.get('requestId')),
): ErrorHandler<AppEnv> {
  return (thrown, c) => format(thrown instanceof CrmError ? thrown : toCrmError(thrown), c)
}

function toCrmError(thrown: Error): CrmError {
  return thrown instanceof HostError ? new CrmError('internal_error', thrown.message) : unexpectedError()
}
