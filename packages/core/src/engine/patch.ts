import type { FieldErrors } from '../kernel/errors.ts'
import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** Input of a create or update, before or after validation. */
export type Input = Readonly<Record<string, unknown>>

/** In a create, null is the same as a missing field. */
export function withoutNulls(input: unknown): Input {
  return Object.fromEntries(Object.entries(Object(input)).filter(([, value]) => value !== null))
}

/** An owner is given by id or by e-mail, not both. */
export function checkOwnerFields(input: unknown): FieldErrors {
  const { owner_user_id, owner_email } = Object(input) as Input
  const hasBoth = owner_user_id !== undefined && owner_email !== undefined
  return hasBoth ? { owner_email: 'Must not be sent together with owner_user_id.' } : {}
}

/** The field in which the input names the owner. */
export function ownerFieldOf({ owner_email }: Input): string {
  return owner_email === undefined ? 'owner_user_id' : 'owner_email'
}

/** True if `fields` differ from `before`. */
export function hasChanges(before: object, fields: object): boolean {
  const old = before as Input
  return Object.entries(fields).some(
    ([name, value]) => value !== old[name] && JSON.stringify(value) !== JSON.stringify(old[name]),
  )
}

/** Returns the record itself if the fields change nothing, and nothing that belongs to it changes. */
export function mergeChanges<R extends RecordBase>(
  before: R,
  fields: object,
  at: Instant,
  changesParts = false,
): R {
  return changesParts || hasChanges(before, fields) ? { ...before, ...fields, updated_at: at } : before
}
