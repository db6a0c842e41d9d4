import { CrmApiError, CrmConnectionError } from '@sales-crm/client'

const PAUSE_MS = 5000
/** After which a failure of the service counts as a refusal. */
const MAX_FAILURES = 3

/** True if no further row could be brought in. */
export function endsRun(error: unknown): boolean {
  return !(error instanceof CrmApiError) || error.status === 401 || isWorkspaceFull(error)
}

export function isWorkspaceFull(error: unknown): boolean {
  return error instanceof CrmApiError && error.reason === 'workspace_full'
}

/** True if the call is to be repeated: the service has not decided about it. */
export function isTemporary(error: unknown, failures: number): boolean {
  if (error instanceof CrmConnectionError) return true
  if (!(error instanceof CrmApiError)) return false
  return error.status === 429 || error.status === 503 || (error.status >= 500 && failures < MAX_FAILURES)
}

/** Milliseconds before the call is repeated. */
export function retryDelay(error: unknown): number {
  const seconds = error instanceof CrmApiError ? error.retryAfterSeconds : undefined
  return seconds === undefined ? PAUSE_MS : seconds * 1000
}

/** What is wrong with a company is wrong with the company of the row. */
export function asCompanyError(error: unknown): unknown {
  if (!(error instanceof CrmApiError) || Object.keys(error.fields).length === 0) return error
  const { status, code, requestId, fields } = error
  return new CrmApiError(error.message, {
    status,
    code,
    requestId,
    fields: { company_id: Object.values(fields).join(' ') },
  })
}
