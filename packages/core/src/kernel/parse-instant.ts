const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/
const WRITTEN_YEAR = /^([+-]?\d{4,15})(-.*)$/

/**
 * Returns undefined for an invalid date-time: no offset, 30 February, a leap second, a year after 9999 in
 * UTC.
 */
export function parseInstant(value: string): string | undefined {
  const parts = DATE_TIME.exec(value)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const [offsetHour, offsetMinute] = [Number(parts[7] ?? 0), Number(parts[8] ?? 0)]
  const realDay =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  if (!realDay || hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59)
    return undefined
  const at = new Date(value.toUpperCase())
  const inRange = !Number.isNaN(at.getTime()) && at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999
  return inRange ? at.toISOString() : undefined
}

/** The rule that a date-time breaks which is one by its form. */
export function findInstantError(value: string): string | undefined {
  if (parseInstant(value) !== undefined) return undefined
  const withoutLeapSecond = value.replace(/:60(?=[.Zz+-])/, ':59')
  if (parseInstant(withoutLeapSecond) !== undefined) return 'Leap seconds are not supported.'
  return isOutOfBounds(value)
    ? 'Must lie between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z.'
    : undefined
}

/** True for an invalid date-time that only lies too early or too late. */
export function isOutOfBounds(value: string): boolean {
  const [, writtenYear = '', rest = ''] = WRITTEN_YEAR.exec(value) ?? []
  const year = Number(writtenYear)
  if (writtenYear.length > 4 && year >= 1 && year <= 9999) return false
  // The calendar repeats every 400 years.
  const yearWithinBounds = 2000 + (Math.abs(year) % 400)
  return parseInstant(value) === undefined && parseInstant(`${yearWithinBounds}${rest}`) !== undefined
}
