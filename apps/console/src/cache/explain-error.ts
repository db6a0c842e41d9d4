import { CrmApiError, CrmConnectionError } from '@sales-crm/client'
import type { Texts } from '../texts/en.ts'

/** Says in the user's language why a call failed; in the service's words where they are the clearest. */
export function explainError(error: unknown, texts: Texts): string {
  const { errors } = texts
  if (error instanceof PartialFailure) return explainError(error.errors.values().next().value, texts)
  if (error instanceof CrmConnectionError) return errors.connection
  if (!(error instanceof CrmApiError)) return String(error)
  if (error.status === 403) return errors.forbidden
  if (error.status >= 500) return errors.unexpected(error.requestId ?? '–')
  const rules = Object.values(error.fields)
  return rules.length > 0 ? rules.join(' ') : error.message
}

/** The error of each field by its path, for a form. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof CrmApiError ? error.fields : {}
}

/** A change of several records that failed for some of them. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure'
  /** The error of each record that was not changed, by id. */
  readonly errors: ReadonlyMap<string, unknown>

  constructor(errors: ReadonlyMap<string, unknown>) {
    super(`${errors.size} records were not changed.`)
    this.errors = errors
  }
}
