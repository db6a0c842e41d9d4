import { useState } from 'preact/hooks'
import type { Selection } from './use-selection.ts'

/**
 * Extends a selection to all rows that match. Another query, or another choice of rows, ends that.
 * @param query of the list
 */
export function useMatchingSelection<Row extends { readonly id: string }>(
  query: object,
  loaded: Selection<Row>,
) {
  const key = JSON.stringify(query)
  const [all, setAll] = useState<{ readonly key: string; readonly total: number }>()
  const isAll = all?.key === key
  const leave = () => setAll(undefined)
  const selection: Selection<Row> = isAll
    ? {
        ...loaded,
        size: all.total,
        has: () => true,
        add: leave,
        toggle(row) {
          leave()
          loaded.set([row], false)
        },
        set(rows, isSelected) {
          leave()
          loaded.set(rows, isSelected)
        },
        clear() {
          leave()
          loaded.clear()
        },
      }
    : loaded
  return {
    selection,
    isAll,
    total: all?.total ?? 0,
    change: (wanted: boolean, total: number) => setAll(wanted ? { key, total } : undefined),
  }
}
