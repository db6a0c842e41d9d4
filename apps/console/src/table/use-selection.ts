import { useState } from 'preact/hooks'

/** The selected rows of a table, by id. */
export interface Selection<Row> {
  readonly size: number
  readonly rows: readonly Row[]
  has(id: string): boolean
  add(row: Row): void
  toggle(row: Row): void
  /** Selects several, or selects them no longer. */
  set(rows: readonly Row[], isSelected: boolean): void
  clear(): void
  /** Keeps new values of a selected row, which may not be drawn. */
  merge(id: string, fields: object): void
  /** Selects them no longer. */
  drop(ids: readonly string[]): void
}

export function useSelection<Row extends { readonly id: string }>(): Selection<Row> {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const change = (edit: (rows: Map<string, Row>) => void) =>
    setSelected((before) => {
      const after = new Map(before)
      edit(after)
      return after
    })
  return {
    size: selected.size,
    rows: [...selected.values()],
    has: (id) => selected.has(id),
    add: (row) => change((rows) => rows.set(row.id, row)),
    toggle: (row) => change((rows) => rows.delete(row.id) || rows.set(row.id, row)),
    set: (changed, isSelected) =>
      change((rows) => {
        for (const row of changed)
          if (isSelected) rows.set(row.id, row)
          else rows.delete(row.id)
      }),
    clear: () => setSelected(new Map()),
    merge: (id, fields) =>
      change((rows) => {
        const row = rows.get(id)
        if (row) rows.set(id, { ...row, ...fields })
      }),
    drop: (ids) =>
      change((rows) => {
        for (const id of ids) rows.delete(id)
      }),
  }
}

/** What a page shows of the records that can be selected, at the time of use. */
export interface ShownRows<Row> {
  /** The row or card that has the focus. */
  atHand(): Row | undefined
  /** Undefined if it is not shown any more. */
  find(id: string): Row | undefined
  focusAtHand(): void
}
