interface Entry {
  readonly at: string
}

interface MonthOfEntries<E> {
  /** The first day of the month, in the time zone of the browser. */
  readonly month: Date
  readonly entries: readonly E[]
}

/** Groups entries, the newest first, by month. */
export function groupByMonth<E extends Entry>(entries: readonly E[]): readonly MonthOfEntries<E>[] {
  const groups: { month: Date; entries: E[] }[] = []
  for (const entry of entries) {
    const at = new Date(entry.at)
    const month = new Date(at.getFullYear(), at.getMonth(), 1)
    const last = groups.at(-1)
    if (last?.month.getTime() === month.getTime()) last.entries.push(entry)
    else groups.push({ month, entries: [entry] })
  }
  return groups
}
