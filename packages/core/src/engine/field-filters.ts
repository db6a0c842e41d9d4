import type * as v from 'valibot'
import type { RecordBase } from '../kernel/record.ts'
import type { ExternalId } from '../schema/external-ids.ts'
import { externalIdFacet, whereFacet } from '../schema/facets.ts'
import type { FilterRule, FilterRules } from '../schema/filter-rules.ts'
import type { KindName } from '../schema/index.ts'
import { whereLinkedTo } from '../schema/link-lists.ts'
import { fieldsOf } from '../schema/responses.ts'
import type { Filter, Filters } from './list-query.ts'
import { findMemberIdByEmail } from './references.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** The filters that the fields of a kind declare. */
export type FiltersOf<R extends RecordBase, Q> = {
  readonly [P in keyof Q]: Q[P] extends FilterRule<infer S extends v.GenericSchema> ? Filter<R, S> : never
}

export function buildFilters(kind: KindName): Filters<never> {
  const filters = fieldsOf(kind).flatMap(([name, field]) => {
    if (field.is !== 'value' && field.is !== 'system' && field.is !== 'reference') return []
    const column = field.is === 'reference' ? field.column : name
    const target = field.is === 'reference' ? (field.kind as KindName) : undefined
    return Object.entries((field.filters ?? {}) as FilterRules).map(([parameter, { match, schema }]) => {
      const conditions = (value: unknown, transaction: WorkspaceTransaction) =>
        findConditions(match, { kind, column, target }, value as string, transaction)
      return [parameter, { schema, conditions }] as const
    })
  })
  return Object.fromEntries(filters)
}

interface FilteredField {
  readonly kind: KindName
  readonly column: string
  /** The kind of the records that a reference names. */
  readonly target: KindName | undefined
}

/** Returns undefined if nothing can match. */
async function findConditions(
  match: FilterRule<v.GenericSchema>['match'],
  { kind, column, target }: FilteredField,
  value: string,
  transaction: WorkspaceTransaction,
) {
  const field = column as never
  switch (match) {
    case 'equal':
      return [{ field, is: value }]
    case 'since':
      return [{ field, from: value }]
    case 'until':
      return [{ field, to: value }]
    case 'external_id':
      return [whereFacet<never>(externalIdFacet(value as unknown as ExternalId))]
    case 'record':
      return (await transaction.stores[target!].get(value)) && [whereLinkedTo(kind, column, [value]) as never]
    case 'team': {
      const team = await transaction.stores.teams.get(value)
      return team && [{ field, oneOf: team.members.map(({ id }) => id) }]
    }
    case 'member': {
      const id = await findMemberIdByEmail(value, transaction)
      return id === undefined ? undefined : [{ field, is: id }]
    }
  }
}
