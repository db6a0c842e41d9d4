import { useLocation, useSearch } from 'wouter'
import type { ListPosition } from '../records/list-position.ts'

const NEIGHBOURS = 50

/** Opens a row's page, which knows where the row stood in this list. */
export function useOpenRow<Row extends { readonly id: string }>(
  hrefOf: ((row: Row) => string) | undefined,
  rowAt: (index: number) => Row | undefined,
  total: number,
): (index: number) => void {
  const [path, navigate] = useLocation()
  const search = useSearch()
  return (index) => {
    const row = rowAt(index)
    if (!row || !hrefOf) return
    const start = Math.max(0, index - NEIGHBOURS)
    const ids: string[] = []
    for (let at = start; at <= index + NEIGHBOURS; at++) {
      const id = rowAt(at)?.id
      if (id === undefined && at > index) break
      ids.push(id ?? '')
    }
    const list: ListPosition = { href: `${path}${search && `?${search}`}`, total, index, ids, start }
    navigate(hrefOf(row), { state: { list } })
  }
}
