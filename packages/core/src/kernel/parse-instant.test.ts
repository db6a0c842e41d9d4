import { expect, test } from 'vitest'
import { findInstantError, parseInstant } from './parse-instant.ts'

test.each([
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00+00:00', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00-00:00', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T09:00:00-03:00', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T00:30:00+05:45', '2026-02-28T18:45:00.000Z'],
  ['2026-12-31T23:59:59-23:59', '2027-01-01T23:58:59.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['2026-03-01T12:00:00.5Z', '2026-03-01T12:00:00.500Z'],
  ['2026-03-01T12:00:00.123Z', '2026-03-01T12:00:00.123Z'],
  ['2026-03-01T12:00:00.1239999999Z', '2026-03-01T12:00:00.123Z'],
  [`2026-03-01T12:00:00.${'9'.repeat(500)}Z`, '2026-03-01T12:00:00.999Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is the instant %s', (written, instant) => {
  expect(parseInstant(written)).toBe(instant)
})

test.each([
  ['a date without a time', '2026-03-01'],
  ['no offset', '2026-03-01T12:00:00'],
  ['no seconds', '2026-03-01T12:00Z'],
  ['a space between date and time', '2026-03-01 12:00:00Z'],
  ['30 February', '2026-02-30T12:00:00Z'],
  ['29 February in a common year', '2026-02-29T12:00:00Z'],
  ['29 February in a common century', '1900-02-29T12:00:00Z'],
  ['31 April', '2026-04-31T12:00:00Z'],
  ['month 0', '2026-00-01T12:00:00Z'],
  ['month 13', '2026-13-01T12:00:00Z'],
  ['day 0', '2026-03-00T12:00:00Z'],
  ['a leap second', '2016-12-31T23:59:60Z'],
  ['hour 24', '2026-03-01T24:00:00Z'],
  ['minute 60', '2026-03-01T12:60:00Z'],
  ['an offset of 24 hours', '2026-03-01T12:00:00+24:00'],
  ['an offset with minute 60', '2026-03-01T12:00:00+01:60'],
  ['an offset without a colon', '2026-03-01T12:00:00+0100'],
  ['an offset of hours alone', '2026-03-01T12:00:00+01'],
  ['a point without digits', '2026-03-01T12:00:00.Z'],
  ['a comma before the fraction', '2026-03-01T12:00:00,5Z'],
  ['year 0', '0000-06-01T12:00:00Z'],
  ['a year that is 0 in UTC', '0001-01-01T00:00:00+01:00'],
  ['a year past 9999 in UTC', '9999-12-31T23:59:59-01:00'],
  ['a signed year', '+002026-03-01T12:00:00Z'],
  ['digits of another script', '２０２６-03-01T12:00:00Z'],
  ['space around it', ' 2026-03-01T12:00:00Z'],
  ['a line break after it', '2026-03-01T12:00:00Z\n'],
  ['a number of seconds', '1772366400'],
  ['nothing', ''],
])('%s is not an instant', (_, written) => {
  expect(parseInstant(written)).toBeUndefined()
})

const LEAP_SECOND = 'Leap seconds are not supported.'
const BOUNDS = 'Must lie between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z.'

test.each([
  ['2016-12-31T23:59:60Z', LEAP_SECOND],
  ['2016-12-31T23:59:60.5+00:00', LEAP_SECOND],
  ['2016-12-31T23:59:61Z', undefined],
  ['2016-02-31T23:59:60Z', undefined],
  ['2026-03-01T12:60:00Z', undefined],
  ['2026-03-01T12:00:00+01:60', undefined],
  ['0000-06-01T12:00:00Z', BOUNDS],
  ['0001-01-01T00:00:00+01:00', BOUNDS],
  ['9999-12-31T23:59:59-01:00', BOUNDS],
  ['10000-01-01T00:00:00Z', BOUNDS],
  ['+010000-01-01T00:00:00Z', BOUNDS],
  ['-000001-01-01T00:00:00Z', BOUNDS],
  ['-0001-02-28T00:00:00Z', BOUNDS],
  ['10000-02-30T00:00:00Z', undefined],
  ['+002026-03-01T12:00:00Z', undefined],
  ['2026-02-29T12:00:00Z', undefined],
  [`${'9'.repeat(400)}-01-01T00:00:00Z`, undefined],
  ['10000-01-01', undefined],
  ['', undefined],
])('%s breaks the specific rule: %s', (written, rule) => {
  expect(parseInstant(written)).toBeUndefined()
  expect(findInstantError(written)).toBe(rule)
})
