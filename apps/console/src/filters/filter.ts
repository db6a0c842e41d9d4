import type { FilterCondition, FilterTree } from '@sales-crm/client'

/** The filter of a page: its parts, of which all or any must hold. */
export interface Filter {
  readonly join: 'and' | 'or'
  readonly parts: readonly FilterTree[]
}

export const NO_FILTER: Filter = { join: 'and', parts: [] }

/** Reads a filter from the address, which anybody may have written. */
export function parseFilter(text: string | undefined): Filter {
  try {
    return text ? toFilter(JSON.parse(text)) : NO_FILTER
  } catch {
    return NO_FILTER
  }
}

export function toFilter(tree: FilterTree | null): Filter {
  if (typeof tree !== 'object' || tree === null) return NO_FILTER
  if ('and' in tree && Array.isArray(tree.and)) return { join: 'and', parts: tree.and }
  if ('or' in tree && Array.isArray(tree.or)) return { join: 'or', parts: tree.or }
  return isCondition(tree) ? { join: 'and', parts: [tree] } : NO_FILTER
}

export function toTree({ join, parts }: Filter): FilterTree | null {
  if (parts.length === 0) return null
  return join === 'and' || parts.length === 1 ? { and: parts } : { or: parts }
}

/** @returns undefined for one without parts */
export function formatFilter(filter: Filter): string | undefined {
  const tree = toTree(filter)
  return tree ? JSON.stringify(tree) : undefined
}

export function isCondition(tree: FilterTree): tree is FilterCondition {
  return 'field' in tree
}

/** The number of comparisons, those within others included. */
export function countConditions(tree: FilterTree): number {
  if (isCondition(tree)) return 1
  const parts = 'and' in tree ? tree.and : tree.or
  return parts.reduce((sum, part) => sum + countConditions(part), 0)
}

/** The filter without the comparisons of some fields. */
export function withoutFields(filter: Filter, fields: readonly string[]): Filter {
  return { ...filter, parts: filter.parts.flatMap((part) => dropFields(part, fields)) }
}

function dropFields(tree: FilterTree, fields: readonly string[]): readonly FilterTree[] {
  if (isCondition(tree)) return fields.includes(tree.field) ? [] : [tree]
  const [join, trees] = 'and' in tree ? (['and', tree.and] as const) : (['or', tree.or] as const)
  const parts = trees.flatMap((part) => dropFields(part, fields))
  if (parts.length === 0) return []
  return [join === 'and' ? { and: parts } : { or: parts }]
}
