import type { LineItem, LineItemList } from '@sales-crm/client'
import { computeNet, computeTax, computeTotals } from '@sales-crm/core/browser'

/** Computes the amounts of a changed line as the service will. */
export function withAmounts(item: LineItem): LineItem {
  return { ...item, total_cts: Number(computeNet(item)), tax_cts: Number(computeTax(item)) }
}

/** The items of a deal after a change, with their positions and totals. */
export function toItemList(items: readonly LineItem[]): LineItemList {
  return {
    data: items.map((item, position) => (item.position === position ? item : { ...item, position })),
    meta: { totals: computeTotals(items) },
  }
}

/** @param position default: after the last */
export function insertItem(items: readonly LineItem[], item: LineItem, position = items.length) {
  return items.toSpliced(position, 0, item)
}

/** Moves an item to a position among the others, which ends at the edges. */
export function moveItem(items: readonly LineItem[], item: LineItem, position: number): readonly LineItem[] {
  return insertItem(
    items.filter((each) => each !== item),
    item,
    Math.max(0, position),
  )
}
