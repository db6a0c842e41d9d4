/** The box of all rows: checked if all are selected, mixed if some are. */
export interface SelectAllState {
  readonly isChecked: boolean
  readonly isMixed: boolean
}

/** @param total rows of the list, of which `loadedIds` are read */
export function selectAllState(
  selection: { readonly size: number; has(id: string): boolean },
  loadedIds: readonly string[],
  total: number,
): SelectAllState {
  const isChecked = total > 0 && loadedIds.length === total && loadedIds.every((id) => selection.has(id))
  return { isChecked, isMixed: !isChecked && selection.size > 0 }
}
