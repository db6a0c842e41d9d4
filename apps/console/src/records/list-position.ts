/** Where a record stands in the list from which it was opened. */
export interface ListPosition {
  /** The address of the list. */
  readonly href: string
  readonly total: number
  /** From 0, in the whole list. */
  readonly index: number
  /** Ids of the rows around it. */
  readonly ids: readonly string[]
  /** Index in the whole list of the first of `ids`. */
  readonly start: number
}

/** The record some rows further, if it was among the loaded ones. */
export function neighbourOf(
  list: ListPosition,
  rows: number,
): { readonly id: string; readonly list: ListPosition } | undefined {
  const index = list.index + rows
  const id = list.ids[index - list.start]
  return id === undefined ? undefined : { id, list: { ...list, index } }
}
