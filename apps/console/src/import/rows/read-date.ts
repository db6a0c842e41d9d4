export type DayOrder = 'dayFirst' | 'monthFirst'

const NUMERIC = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ ,T].*)?$/
const ISO = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:[ ,T].*)?$/

/** Whether the days or the months of a column come first: by a date that can be read in one way only, or the locale. */
export function findDayOrder(texts: Iterable<string>, locale: string): DayOrder {
  for (const text of texts) {
    const [, first, second] = NUMERIC.exec(text.trim()) ?? []
    if (Number(first) > 12) return 'dayFirst'
    if (Number(second) > 12) return 'monthFirst'
  }
  return locale === 'en-US' ? 'monthFirst' : 'dayFirst'
}

/**
 * Reads `31/12/2026`, `2026-12-31` and the like. A time after it is left out.
 * @returns `2026-12-31`; undefined for a day that does not exist
 */
export function readDate(text: string, order: DayOrder): string | undefined {
  const trimmed = text.trim()
  const iso = ISO.exec(trimmed)
  if (iso) return writeDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numeric = NUMERIC.exec(trimmed)
  if (!numeric) return undefined
  const [first, second, year] = [Number(numeric[1]), Number(numeric[2]), Number(numeric[3])]
  return order === 'dayFirst' ? writeDay(year, second, first) : writeDay(year, first, second)
}

function writeDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : undefined
}
