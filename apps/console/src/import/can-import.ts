import type { ImportListItem, Me } from '@sales-crm/client'

/** The kinds of records that rows can have. */
export const IMPORT_KINDS = ['people', 'companies', 'deals', 'products', 'tasks', 'activities'] as const

export type ImportKind = (typeof IMPORT_KINDS)[number] & ImportListItem['kinds'][number]

/** True if the member may import files. */
export function canImport({ scopes }: Pick<Me, 'scopes'>): boolean {
  return scopes.includes('imports:write')
}
