/** Moves one item of a list to another index. Returns the same list if that changes nothing. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from]
  if (item === undefined || from === to || to < 0 || to >= items.length) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** The indexes of the items that have moved among the others: as few as explain the new order. */
export function findMovedIndexes(before: readonly string[], after: readonly string[]): readonly number[] {
  const places = after.map((key) => before.indexOf(key))
  const known = places.flatMap((place, index) => (place < 0 ? [] : [index]))
  const best = new Map<number, readonly number[]>()
  for (const index of known) {
    const longest = known
      .filter((other) => other < index && places[other]! < places[index]!)
      .map((other) => best.get(other)!)
      .reduce<readonly number[]>((one, other) => (other.length >= one.length ? other : one), [])
    best.set(index, [...longest, index])
  }
  const inOrder = [...best.values()].reduce((one, other) => (other.length >= one.length ? other : one), [])
  return known.filter((index) => !inOrder.includes(index))
}
