import type * as v from 'valibot'
import { type Actor, requireScope, type Scope } from '../kernel/actor.ts'
import type { IsIncluded } from '../schema/field-types.ts'
import type { KINDS, KindName, Records, ResourceName } from '../schema/index.ts'
import { listIncludes } from '../schema/responses.ts'
import { type Filter, namesParameter } from './list-query.ts'

type FieldsOf<K extends KindName> = (typeof KINDS)[K]['fields']

type HasIncludes<K extends KindName> = true extends {
  [F in keyof FieldsOf<K>]: IsIncluded<FieldsOf<K>[F]>
}[keyof FieldsOf<K>]
  ? true
  : false

/** The query parameter `include`, for kinds with fields that lists can include. It matches every record. */
export type IncludeOf<K extends ResourceName> =
  HasIncludes<K> extends true
    ? { readonly include: Filter<Records[K], v.GenericSchema<string, readonly string[]>> }
    : unknown

export function buildInclude(kind: KindName): object {
  const names = listIncludes(kind)
  return names.length === 0 ? {} : { include: { schema: namesParameter(names), conditions: async () => [] } }
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
