import { knownEmail, uuid } from '../kernel/field-schemas.ts'
import type { Instant } from '../kernel/instant.ts'
import { uuidResponse } from '../kernel/response-schemas.ts'
import { type Level, type SystemField, type SystemOptions, system, type Visibility } from './fields.ts'
import { type FilterRules, linkedTo, type NoFilters, since } from './filter-rules.ts'
import { byId, type ReferenceInputs, reference } from './reference-fields.ts'
import { instantType, storedTerms, storedText } from './value-types.ts'

/** @param example a UUID in lower case */
export function id(example: string): SystemField<string, 'reference', NoFilters, false> {
  return {
    ...{ is: 'system', isBase: true, level: 'reference', initial: '' },
    ...{ type: { column: 'uuid', input: uuid, response: uuidResponse }, description: 'A UUID.', example },
  }
}

const EXAMPLE_TIME = '2026-03-01T12:00:00.000Z'

export function createdAt<
  const L extends Visibility,
  const Q extends FilterRules = NoFilters,
  const O extends boolean = true,
>(level: L, options: Partial<SystemOptions<Instant, L, Q, O>> = {}): SystemField<Instant, L, Q, O> {
  return {
    ...{ is: 'system', isBase: true, level, type: instantType, initial: EXAMPLE_TIME },
    ...{ description: 'Time of creation.', example: EXAMPLE_TIME, sortable: true as O },
    ...options,
  }
}

export function updatedAt<
  const L extends Visibility,
  const Q extends FilterRules = NoFilters,
  const O extends boolean = false,
  T extends Instant | null = Instant,
>(level: L, options: Partial<SystemOptions<T, L, Q, O>> = {}): SystemField<T, L, Q, O> {
  return {
    ...{ is: 'system', isBase: true, level, type: instantType, initial: EXAMPLE_TIME },
    ...{ description: 'Time of the last change.', example: EXAMPLE_TIME },
    ...options,
  } as unknown as SystemField<T, L, Q, O>
}

/** The folded words of the record's own fields, and its facets. */
export const searchTerms = system(storedTerms, { level: 'hidden', initial: '', isVersioned: false })

/** A short public code such as `D-7ZK04QX`: unique in the workspace and never reused. */
export function entityId(example: string) {
  return system(storedText, {
    ...{ level: 'item', initial: '', uniqueForever: true },
    description: 'A short human-readable code, unique in the workspace and never reused.',
    example,
  })
}

/** Options of `updated_at`, for kinds of which callers read what has changed. */
export const CHANGE_FILTER = {
  sortable: true,
  filters: { updated_after: since('Changed at or after this time.') },
} as const

/** A link to a person, company or deal, in columns and inputs such as `person_id`. */
export function linkField<
  const K extends string,
  const N extends string,
  const L extends Level,
  const D extends boolean = false,
>(
  kind: K,
  noun: N,
  level: L,
  {
    isListed = false,
    ...options
  }: {
    readonly example?: null
    readonly included?: D
    readonly description?: string
    /** True for the main one of a list of links, whose others the filter finds as well. */
    readonly isListed?: boolean
  } = {},
) {
  const column = `${noun}_id` as const
  return reference(kind, {
    ...{ column, need: 'clearable', shows: 'summary', level },
    inputs: named(column, byId(`Id of the linked ${noun}.`)),
    filters: named(
      column,
      linkedTo(isListed ? `Records linked to this ${noun}, main or not.` : `Records linked to this ${noun}.`),
    ),
    description: `The linked ${noun}.`,
    ...options,
  })
}

function named<const N extends string, T>(name: N, value: T): Readonly<Record<N, T>> {
  return { [name]: value } as Record<N, T>
}

const OWNER_INPUTS = {
  owner_user_id: {
    ...{ schema: uuid, by: 'member' },
    description: 'Id of the responsible member. Mutually exclusive with `owner_email`.',
  },
  owner_email: {
    ...{ schema: knownEmail, by: 'memberEmail' },
    description: 'E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.',
  },
} as const satisfies ReferenceInputs

/** The responsible member; null for nobody. A removed member counts as nobody. */
export function owner<const L extends Level, const Q extends FilterRules = NoFilters>(level: L, filters?: Q) {
  return reference('members', {
    ...{ column: 'owner_user_id', inputs: OWNER_INPUTS, need: 'clearable', shows: 'reference', level },
    ...{ filters: filters as Q },
    description: 'The responsible member.',
  })
}
