import type { ComponentChildren } from 'preact'

/** A column of a table of records. */
export interface Column<Row> {
  readonly key: string
  readonly label: string
  /** The API's name of the order; without one, the column cannot be sorted by. */
  readonly orderBy?: string
  /** The order of the first press. */
  readonly firstOrder?: 'asc' | 'desc'
  readonly isNumber?: boolean
  /** What lists include for the column. */
  readonly include?: string
  /** The names of the API's fields that an export of the column has. */
  readonly exportFields: readonly string[]
  /** False for a column that is shown only when it is chosen. */
  readonly isDefault: boolean
  readonly render: (row: Row) => ComponentChildren
}

/** The columns that the address names, in their own order; the defaults if it names none. The first always stays. */
export function chooseColumns<Row>(
  columns: readonly Column<Row>[],
  names: string | undefined,
): readonly Column<Row>[] {
  const chosen = names?.split(',')
  return columns.filter(
    ({ key, isDefault }, index) => index === 0 || (chosen ? chosen.includes(key) : isDefault),
  )
}

/** What a list includes for the columns that the address names. */
export function listColumnIncludes<Row>(
  columns: readonly Column<Row>[],
  names: string | undefined,
): readonly string[] {
  return chooseColumns(columns, names).flatMap(({ include }) => include ?? [])
}

/** The names for the address after a column was added or taken away; undefined for the defaults. */
export function toggleColumn<Row>(
  columns: readonly Column<Row>[],
  names: string | undefined,
  key: string,
): string | undefined {
  const chosen = chooseColumns(columns, names)
    .map((column) => column.key)
    .slice(1)
  const next = chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key]
  const inOrder = columns.map((column) => column.key).filter((each) => next.includes(each))
  const defaults = columns
    .filter(({ isDefault }, index) => index > 0 && isDefault)
    .map((column) => column.key)
  return inOrder.join() === defaults.join() ? undefined : inOrder.join()
}
