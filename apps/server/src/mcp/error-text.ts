import { CrmError, type FieldErrors } from '@sales-crm/core'
import { unexpectedError } from '../http/errors.ts'
import type { Caller } from './tool.ts'

/** An error as a part of a result. */
export interface ErrorResult {
  readonly code: string
  readonly message: string
  readonly fields?: FieldErrors
}

/** What the caller may know of what was thrown; the operator hears of what is no caller's fault. */
export function toCrmError(thrown: unknown, { reportError }: Pick<Caller, 'reportError'>): CrmError {
  if (!(thrown instanceof CrmError)) {
    reportError(thrown)
    return unexpectedError()
  }
  if (thrown.cause !== undefined) reportError(thrown.cause)
  return thrown
}

export function toErrorResult({ code, message, fields }: CrmError): ErrorResult {
  return { code, message, ...(fields && { fields }) }
}

/** For a model to read: what is wrong, and below it each field with the rule it breaks. */
export function errorText({ message, fields = {} }: CrmError): string {
  return [message, ...Object.entries(fields).map(([field, rule]) => `- ${field}: ${rule}`)].join('\n')
}

/** The same error, its fields told in other words. */
export function mapRules(error: CrmError, ruleFor: (rule: string, field: string) => string): CrmError {
  return withFields(error, (fields) => fields.map(([field, rule]) => [field, ruleFor(rule, field)]))
}

/** The same error, its fields found under other names. */
export function renameFields(error: CrmError, nameOf: (field: string) => string): CrmError {
  return withFields(error, (fields) => fields.map(([field, rule]) => [nameOf(field), rule]))
}

type Field = readonly [string, string]

function withFields(error: CrmError, change: (fields: readonly Field[]) => readonly Field[]): CrmError {
  if (!error.fields) return error
  return new CrmError(error.code, error.message, Object.fromEntries(change(Object.entries(error.fields))), {
    cause: error.cause,
  })
}
