import { CrmError, type FieldErrors } from '@sales-crm/core'
import { unexpectedError } from '../http/errors.ts'
import type { Caller } from './types.ts'

/** An error inside a tool's result. */
export interface ErrorResult {
  readonly code: string
  readonly message: string
  readonly fields?: FieldErrors
  /** The records that hold the value, for `conflict`. */
  readonly existing_ids?: readonly string[]
}

/** Converts a thrown value to an error that the caller may see. Unexpected errors and causes are reported. */
export function toCrmError(thrown: unknown, { reportError }: Pick<Caller, 'reportError'>): CrmError {
  if (!(thrown instanceof CrmError)) {
    reportError(thrown)
    return unexpectedError()
  }
  if (thrown.cause !== undefined) reportError(thrown.cause)
  return thrown
}

export function toErrorResult({ code, message, fields, existingIds }: CrmError): ErrorResult {
  return { code, message, ...(fields && { fields }), ...(existingIds && { existing_ids: existingIds }) }
}

/**
 * Formats an error for a model: the message, a line for each field with the rule it breaks, and the ids of the records
 * that hold the value.
 */
export function errorText({ message, fields = {}, existingIds }: CrmError): string {
  const rules = Object.entries(fields).map(([field, rule]) => `- ${field}: ${rule}`)
  const holders = existingIds ? [`Existing ids: ${existingIds.join(', ')}`] : []
  return [message, ...rules, ...holders].join('\n')
}

/** Copies the error with other rules for its fields. */
export function mapRules(error: CrmError, ruleFor: (rule: string, field: string) => string): CrmError {
  return withFields(error, (fields) => fields.map(([field, rule]) => [field, ruleFor(rule, field)]))
}

/** Copies the error with other names for its fields. */
export function renameFields(error: CrmError, nameOf: (field: string) => string): CrmError {
  return withFields(error, (fields) => fields.map(([field, rule]) => [nameOf(field), rule]))
}

type FieldRule = readonly [string, string]

function withFields(
  error: CrmError,
  change: (rules: readonly FieldRule[]) => readonly FieldRule[],
): CrmError {
  if (!error.fields) return error
  return new CrmError(error.code, error.message, Object.fromEntries(change(Object.entries(error.fields))), {
    ...(error.existingIds && { existingIds: error.existingIds }),
    cause: error.cause,
  })
}
