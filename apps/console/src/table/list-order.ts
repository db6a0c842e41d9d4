export type Direction = 'asc' | 'desc'

/** A column of an order. */
export interface SortColumn {
  readonly name: string
  readonly direction: Direction
}

/** The one or two columns of an order, as the parameters of a list name them. */
export function listSortColumns(order: {
  readonly order_by: string
  readonly order: string
}): readonly SortColumn[] {
  const directions = order.order.split(',')
  return order.order_by.split(',').map((name, index) => ({
    name,
    direction: (directions[index] ?? directions[0]) === 'desc' ? 'desc' : 'asc',
  }))
}

/** The order of an address; undefined for none, and for fields that the list does not have. */
export function readOrder(
  params: URLSearchParams,
  names: readonly string[],
): { readonly order_by: string; readonly order: string } | undefined {
  const order_by = params.get('sort')
  if (order_by === null) return undefined
  const columns = listSortColumns({ order_by, order: params.get('order') ?? 'asc' })
  const [first, second] = columns
  if (
    columns.length > 2 ||
    !columns.every(({ name }) => names.includes(name)) ||
    first?.name === second?.name
  )
    return undefined
  return formatOrder(columns)
}

export function formatOrder(columns: readonly SortColumn[]): { order_by: string; order: string } {
  return {
    order_by: columns.map(({ name }) => name).join(),
    order: columns.map(({ direction }) => direction).join(),
  }
}

/**
 * The order after a press on the head of a column: by it alone, or with `add` by it in the second place. A column that
 * orders already turns around.
 */
export function pressColumn(
  columns: readonly SortColumn[],
  name: string,
  firstDirection: Direction,
  add: boolean,
): readonly SortColumn[] {
  const index = columns.findIndex((each) => each.name === name)
  const current = columns[index]
  const next: SortColumn = {
    name,
    direction: current ? (current.direction === 'asc' ? 'desc' : 'asc') : firstDirection,
  }
  if (!add) return [next]
  return current
    ? columns.toSpliced(index, 1, next)
    : [columns[0] ?? next, next].slice(columns.length === 0 ? 1 : 0)
}
