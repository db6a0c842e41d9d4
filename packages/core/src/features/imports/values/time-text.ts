/** A time of day as it is written after a date. */
export interface TimeText {
  /** Since midnight. */
  readonly milliseconds: number
  /** From UTC, positive east of Greenwich; undefined for the time of a clock whose zone is not said. */
  readonly offsetMinutes: number | undefined
}

const TIME = new RegExp(
  [
    '^(?:t|,? (?:as |at )?|, ?)',
    '(\\d{1,2})[:h](\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?',
    '(?: ?([ap])\\.? ?m\\.?)?',
    // Programs write the name of the zone after its offset.
    ' ?(z|(?:utc|gmt)?(?:[+-]\\d{2}(?::?\\d{2})?)?)(?: \\(.*\\)| utc)?$',
  ].join(''),
)

/** Parses folded text: `t13:45:00z`, ` 1:45 pm`, ` 13:45:00 -0300`, ` as 13h45`. Undefined if no clock shows it. */
export function parseTime(text: string): TimeText | undefined {
  const [, hourText, minuteText, secondText = '0', fraction = '', half, zone = ''] = TIME.exec(text) ?? []
  if (hourText === undefined) return undefined
  const [minute, second] = [Number(minuteText), Number(secondText)]
  const hour = toHour(Number(hourText), half)
  if (hour === undefined || minute > 59 || second > 59) return undefined
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const offsetMinutes = parseOffset(zone)
  if (Number.isNaN(offsetMinutes)) return undefined
  return { milliseconds: ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds, offsetMinutes }
}

/** Of the day. Twelve is the first hour of each half. */
function toHour(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

/** NaN for an offset that no zone has. */
function parseOffset(zone: string): number | undefined {
  if (zone === '') return undefined
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) return Number.NaN
  const size = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -size : size
}
