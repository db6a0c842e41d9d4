import type { FieldErrors } from '../kernel/errors.ts'

/** An input that was not looked at yet, or that a schema made. */
export type Input = Readonly<Record<string, unknown>>

/** In a create, a field left out and a field that is null are the same. */
export function withoutNulls(input: unknown): Input {
  return Object.fromEntries(Object.entries(Object(input)).filter(([, value]) => value !== null))
}

/** An owner is named in one way or the other. */
export function checkOwnerFields(input: unknown): FieldErrors {
  const { owner_user_id, owner_email } = Object(input) as Input
  const hasBoth = owner_user_id !== undefined && owner_email !== undefined
  return hasBoth ? { owner_email: 'Must not be sent together with owner_user_id.' } : {}
}

/** Whether writing `fields` over `before` would make another record of it. */
export function hasChanges(before: object, fields: object): boolean {
  const old = before as Input
  return Object.entries(fields).some(
    ([name, value]) => value !== old[name] && JSON.stringify(value) !== JSON.stringify(old[name]),
  )
}
