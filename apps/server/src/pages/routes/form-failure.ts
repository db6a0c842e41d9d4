import { CrmError, type RateLimitStatus } from '@sales-crm/core'
import type { Problem } from '../page-context.ts'
import type { Translations } from '../translations/translations.ts'

interface FormFailure {
  readonly status: number
  readonly problem: Problem
  readonly headers: Record<string, string>
  readonly rateLimit?: RateLimitStatus | undefined
}

/** Formats the message about an exceeded rate limit from the minutes to wait. */
export type RateLimitMessage = (minutes: number) => string

/** Converts a validation or rate limit error for display with the form. @throws any other error unchanged */
export function toFormFailure(error: unknown, texts: Translations, tooMany: RateLimitMessage): FormFailure {
  if (!(error instanceof CrmError)) throw error
  if (error.code === 'validation_error')
    return { status: 422, problem: fieldProblem(Object.keys(error.fields ?? {}), texts), headers: {} }
  if (error.code !== 'rate_limit_exceeded') throw error
  const retryAfterSeconds = error.rateLimit?.retryAfterSeconds ?? 60
  const summary = tooMany(Math.ceil(retryAfterSeconds / 60))
  return {
    status: 429,
    problem: { summary },
    headers: { 'Retry-After': String(retryAfterSeconds) },
    rateLimit: error.rateLimit,
  }
}

/** Replaces the core's English rules by the page's message for each field. */
function fieldProblem(names: readonly string[], { faults, notices }: Translations): Problem {
  const sentences: Readonly<Record<string, string>> = faults
  const fieldMessages = names
    .filter((name) => Object.hasOwn(sentences, name))
    .map((name) => [name, sentences[name]!] as const)
  return { summary: notices.checkFields, fields: Object.fromEntries(fieldMessages) }
}
