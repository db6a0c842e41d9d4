/** A month of the calendar, such as `2026-11`, which sorts as text. */
export type Month = string

export function utcMonth(date: Date): Month {
  return toMonth(date.getUTCFullYear(), date.getUTCMonth())
}

export function localMonth(date: Date): Month {
  return toMonth(date.getFullYear(), date.getMonth())
}

export function addMonths(month: Month, count: number): Month {
  const { year, index } = splitMonth(month)
  const months = year * 12 + index + count
  return toMonth(Math.floor(months / 12), ((months % 12) + 12) % 12)
}

/** The months from `first` to `last`, in order. */
export function listMonths(first: Month, last: Month): readonly Month[] {
  const months: Month[] = []
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month)
  return months
}

/** The first instant of a month in UTC. */
export function utcStart(month: Month): Date {
  const { year, index } = splitMonth(month)
  return new Date(Date.UTC(year, index, 1))
}

/** The first instant of a month in the time zone of the browser. */
export function localStart(month: Month): Date {
  const { year, index } = splitMonth(month)
  return new Date(year, index, 1)
}

/** The last millisecond before an instant: the filters of the service include their bounds. */
export function instantBefore(date: Date): Date {
  return new Date(date.getTime() - 1)
}

function toMonth(year: number, index: number): Month {
  return `${String(year).padStart(4, '0')}-${String(index + 1).padStart(2, '0')}`
}

function splitMonth(month: Month): { readonly year: number; readonly index: number } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { year, index: number - 1 }
}
