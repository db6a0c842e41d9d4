import { CrmError, type RateLimitStatus } from '@sales-crm/core'
import type { FormErrors } from '../page-context.ts'
import type { Translations } from '../translations/translations.ts'

interface FormFailure {
  readonly status: number
  readonly formErrors: FormErrors
  readonly headers: Record<string, string>
  readonly rateLimit?: RateLimitStatus | undefined
}

/** Formats the message about an exceeded rate limit from the minutes to wait. */
export type RateLimitMessage = (minutes: number) => string

/** Converts a validation or rate limit error for display with the form. @throws any other error unchanged */
export function toFormFailure(error: unknown, texts: Translations, tooMany: RateLimitMessage): FormFailure {
  if (!(error instanceof CrmError)) throw error
  if (error.code === 'validation_error')
    return { status: 422, formErrors: buildFormErrors(Object.keys(error.fields ?? {}), texts), headers: {} }
  if (error.code !== 'rate_limit_exceeded') throw error
  const retryAfterSeconds = error.rateLimit?.retryAfterSeconds ?? 60
  const summary = tooMany(Math.ceil(retryAfterSeconds / 60))
  return {
    status: 429,
    formErrors: { summary },
    headers: { 'Retry-After': String(retryAfterSeconds) },
    rateLimit: error.rateLimit,
  }
}

/** Replaces the core's English rules by the page's message for each field. */
function buildFormErrors(names: readonly string[], { fieldErrors, messages }: Translations): FormErrors {
  const sentences: Readonly<Record<string, string>> = fieldErrors
  const fieldMessages = names
    .filter((name) => Object.hasOwn(sentences, name))
    .map((name) => [name, sentences[name]!] as const)
  return { summary: messages.checkFields, fields: Object.fromEntries(fieldMessages) }
}
