import { CrmError, type FieldErrors } from '@sales-crm/core'
import { unexpected } from '../errors.ts'
import type { Caller } from './tool.ts'

/** An error as a part of a result. */
export interface Told {
  readonly code: string
  readonly message: string
  readonly fields?: FieldErrors
}

/** What the caller may know of what was thrown; the operator hears of what is no caller's fault. */
export function crmErrorOf(thrown: unknown, { unexpected: note }: Pick<Caller, 'unexpected'>): CrmError {
  if (!(thrown instanceof CrmError)) {
    note(thrown)
    return unexpected()
  }
  if (thrown.cause !== undefined) note(thrown.cause)
  return thrown
}

export function told({ code, message, fields }: CrmError): Told {
  return { code, message, ...(fields && { fields }) }
}

/** For a model to read: what is wrong, and below it each field with the rule it breaks. */
export function textOf({ message, fields = {} }: CrmError): string {
  return [message, ...Object.entries(fields).map(([field, rule]) => `- ${field}: ${rule}`)].join('\n')
}

/** The same error, its fields told in other words. */
export function withRules(error: CrmError, ruleFor: (rule: string, field: string) => string): CrmError {
  return withFields(error, (fields) => fields.map(([field, rule]) => [field, ruleFor(rule, field)]))
}

/** The same error, its fields found under other names. */
export function renamed(error: CrmError, nameOf: (field: string) => string): CrmError {
  return withFields(error, (fields) => fields.map(([field, rule]) => [nameOf(field), rule]))
}

type Field = readonly [string, string]

function withFields(error: CrmError, change: (fields: readonly Field[]) => readonly Field[]): CrmError {
  if (!error.fields) return error
  return new CrmError(error.code, error.message, Object.fromEntries(change(Object.entries(error.fields))), { cause: error.cause })
}
