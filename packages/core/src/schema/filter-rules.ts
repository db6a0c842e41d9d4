import type * as v from 'valibot'
import { flagParameter, instant, knownEmail, uuid } from '../kernel/field-schemas.ts'

/** A query parameter of lists, which compares one field. */
export interface FilterRule<S extends v.GenericSchema> {
  /** `record` matches nothing if no live record has the id, `member` if no member has the address. */
  readonly match: 'equal' | 'since' | 'until' | 'record' | 'member' | 'external_id'
  readonly schema: S
  /** In the OpenAPI document. */
  readonly description: string
}

export type FilterRules = Readonly<Record<string, FilterRule<v.GenericSchema>>>

/** From an instant on, inclusive. */
export function since(description: string): FilterRule<typeof instant> {
  return { match: 'since', schema: instant, description }
}

/** Up to an instant, inclusive. */
export function until(description: string): FilterRule<typeof instant> {
  return { match: 'until', schema: instant, description }
}

export function isFlag(description: string): FilterRule<typeof flagParameter> {
  return { match: 'equal', schema: flagParameter, description }
}

export function linkedTo(description: string): FilterRule<typeof uuid> {
  return { match: 'record', schema: uuid, description }
}

export function ownedBy(description: string): FilterRule<typeof knownEmail> {
  return { match: 'member', schema: knownEmail, description }
}

/** For a field without filters. */
export type NoFilters = Readonly<Record<never, never>>
