import * as v from 'valibot'
import { type Actor, requireScope, type Scope } from '../kernel/actor.ts'
import type { IsIncluded } from '../schema/field-types.ts'
import type { KINDS, KindName, Records, ResourceName } from '../schema/index.ts'
import { detailIncludes, listIncludes } from '../schema/responses.ts'
import { type Filter, namesParameter } from './list-query.ts'
import { validate } from './validate.ts'

type FieldsOf<K extends KindName> = (typeof KINDS)[K]['fields']

type HasIncludes<K extends KindName> = true extends {
  [F in keyof FieldsOf<K>]: IsIncluded<FieldsOf<K>[F]> | IncludesParts<FieldsOf<K>[F]>
}[keyof FieldsOf<K>]
  ? true
  : false

/** True for a field whose records have fields that are included under a name. */
type IncludesParts<F> = F extends { readonly includes?: infer N } ? (N extends string ? true : false) : false

/** The query parameter `include`, for kinds with fields that lists can include. It matches every record. */
export type IncludeOf<K extends ResourceName> =
  HasIncludes<K> extends true
    ? { readonly include: Filter<Records[K], v.GenericSchema<string, readonly string[]>> }
    : unknown

export function buildInclude(kind: KindName): object {
  const names = listIncludes(kind)
  return names.length === 0 ? {} : { include: { schema: namesParameter(names), conditions: async () => [] } }
}

/** The query of a single record. */
export interface DetailQuery {
  /** Names, separated by commas. */
  readonly include?: string
}

/** The schema of the query of a single record; undefined for kinds that include nothing. */
export function detailQuerySchema(kind: KindName) {
  const names = detailIncludes(kind)
  return names.length === 0 ? undefined : v.object({ include: v.optional(namesParameter(names)) })
}

/**
 * As `readInclude`, of the query of a single record.
 * @throws CrmError `validation_error`, `insufficient_scope`
 */
export function readDetailInclude(
  query: DetailQuery,
  resource: Parameters<typeof readInclude>[1] & { readonly collection: KindName },
  actor: Actor,
): readonly string[] {
  if (Object.keys(query).length === 0) return []
  return readInclude(
    validate(detailQuerySchema(resource.collection) ?? v.object({}), query, 'parameter'),
    resource,
    actor,
  )
}

/**
 * The fields that a query includes.
 * @throws CrmError `insufficient_scope`
 */
export function readInclude(
  parameters: object,
  { includeScopes }: { readonly includeScopes: Readonly<Record<string, Scope>> },
  actor: Actor,
): readonly string[] {
  const { include: names = [] } = parameters as { readonly include?: readonly string[] }
  for (const name of names) if (includeScopes[name]) requireScope(actor, includeScopes[name])
  return names
}
