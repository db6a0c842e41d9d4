import type { Instant } from '../../kernel/instant.ts'
import type { LineItem } from '../../schema/deal-item.ts'

/** What is written so that a deal has other items. */
export interface ItemChanges {
  /** All items after the change, in their order. */
  readonly items: readonly LineItem[]
  readonly added: readonly LineItem[]
  readonly changed: readonly LineItem[]
  readonly removed: readonly LineItem[]
}

/** Puts an item at a position, or behind the last one. */
export function insertItem(
  items: readonly LineItem[],
  item: LineItem,
  position = items.length,
): readonly LineItem[] {
  return items.toSpliced(Math.min(position, items.length), 0, item)
}

/**
 * Compares the items of a deal before and after a change, and numbers those after it from 0 in their order.
 * @param before in any order
 */
export function compareItems(
  before: readonly LineItem[],
  after: readonly LineItem[],
  at: Instant,
): ItemChanges {
  const former = new Map(before.map((item) => [item.id, item]))
  const items = after.map((item, position) => {
    const numbered = { ...item, position }
    const old = former.get(item.id)
    if (!old) return numbered
    return isEqual(old, numbered) ? old : { ...numbered, updated_at: at }
  })
  const ids = new Set(after.map(({ id }) => id))
  return {
    items,
    added: items.filter(({ id }) => !former.has(id)),
    changed: items.filter((item) => former.has(item.id) && former.get(item.id) !== item),
    removed: before.filter(({ id }) => !ids.has(id)),
  }
}

function isEqual(a: LineItem, b: LineItem): boolean {
  return (Object.keys(a) as (keyof LineItem)[]).every(
    (name) => a[name] === b[name] || JSON.stringify(a[name]) === JSON.stringify(b[name]),
  )
}
