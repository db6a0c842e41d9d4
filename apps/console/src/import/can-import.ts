import type { Me } from '@sales-crm/client'

/** The kinds of records that can be brought in from a file. */
export type ImportKind = 'people' | 'companies'
export const IMPORT_KINDS: readonly ImportKind[] = ['people', 'companies']

/** True if the member may create records of a kind that can be imported. */
export function canImport<Kind extends string>(
  { scopes }: Pick<Me, 'scopes'>,
  kind: Kind,
): kind is Kind & ImportKind {
  return IMPORT_KINDS.some((each) => each === kind) && scopes.includes(`${kind}:write`)
}
