import type { Calendar, Month } from '../../format/calendar.ts'

interface Entry {
  readonly at: string
}

interface MonthOfEntries<E> {
  readonly month: Month
  readonly entries: readonly E[]
}

/** Groups entries, the newest first, by month. */
export function groupByMonth<E extends Entry>(
  entries: readonly E[],
  calendar: Calendar,
): readonly MonthOfEntries<E>[] {
  const groups: { month: Month; entries: E[] }[] = []
  for (const entry of entries) {
    const month = calendar.monthOf(new Date(entry.at))
    const last = groups.at(-1)
    if (last?.month === month) last.entries.push(entry)
    else groups.push({ month, entries: [entry] })
  }
  return groups
}
