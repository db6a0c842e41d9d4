/** Returns the items of the largest size, in order: several if they are equal, none of no items. */
export function listLargest<Item>(items: readonly Item[], size: (item: Item) => number): readonly Item[] {
  const largest = Math.max(...items.map(size))
  return items.filter((item) => size(item) === largest)
}
