import { CrmApiError, CrmConnectionError } from '@sales-crm/client'
import type { Texts } from '../texts/en.ts'

/** Says in the user's language why a call failed; in the service's words where they are the clearest. */
export function explainError(error: unknown, { faults }: Texts): string {
  if (error instanceof CrmConnectionError) return faults.connection
  if (!(error instanceof CrmApiError)) return String(error)
  if (error.status === 403) return faults.forbidden
  if (error.status >= 500) return faults.unexpected(error.requestId ?? '–')
  const rules = Object.values(error.fields)
  return rules.length > 0 ? rules.join(' ') : error.message
}

/** The fault of each field by its path, for a form. */
export function fieldFaults(error: unknown): Readonly<Record<string, string>> {
  return error instanceof CrmApiError ? error.fields : {}
}
