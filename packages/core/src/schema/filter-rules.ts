import type * as v from 'valibot'
import { flagParameter, instant, knownEmail, uuid } from '../kernel/field-schemas.ts'

/** A query parameter of lists, which compares one field. */
export interface FilterRule<S extends v.GenericSchema> {
  /**
   * `record` and `team` match nothing if no live record has the id, `member` if no member has the address. `team`: a member
   * of the team.
   */
  readonly match: 'equal' | 'since' | 'until' | 'record' | 'member' | 'team' | 'external_id'
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

/** The filters of kinds with an owner. */
export const OWNER_FILTERS = {
  owner_email: { match: 'member', schema: knownEmail, description: 'Records of this member.' },
  team_id: { match: 'team', schema: uuid, description: 'Records of the members of this team.' },
} as const satisfies FilterRules

/** For a field without filters. */
export type NoFilters = Readonly<Record<never, never>>
