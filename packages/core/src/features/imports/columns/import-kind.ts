export const IMPORT_KINDS = ['people', 'companies', 'deals', 'products', 'tasks', 'activities'] as const

/** A kind of record that a file can have. */
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** The kinds that have custom fields, and that rows of other kinds name. */
export const CUSTOM_KINDS = ['people', 'companies', 'deals'] as const satisfies readonly ImportKind[]

export type CustomKind = (typeof CUSTOM_KINDS)[number]

export function isCustomKind(kind: ImportKind): kind is CustomKind {
  return CUSTOM_KINDS.some((each) => each === kind)
}
