import { expect, test } from 'vitest'
import { findNextReminder, isTimeOfDay } from './reminder-time.ts'

test.each([
  ['later today', '2026-03-01T10:00:00.000Z', '08:00', 'America/Sao_Paulo', '2026-03-01T11:00:00.000Z'],
  [
    'at that time, tomorrow',
    '2026-03-01T11:00:00.000Z',
    '08:00',
    'America/Sao_Paulo',
    '2026-03-02T11:00:00.000Z',
  ],
  [
    'after midnight in the zone',
    '2026-03-02T02:30:00.000Z',
    '23:45',
    'America/Sao_Paulo',
    '2026-03-02T02:45:00.000Z',
  ],
  ['ahead of UTC', '2026-03-01T23:30:00.000Z', '08:00', 'Asia/Tokyo', '2026-03-02T23:00:00.000Z'],
  [
    'a time that clocks skip',
    '2026-03-08T05:00:00.000Z',
    '02:30',
    'America/New_York',
    '2026-03-08T07:00:00.000Z',
  ],
  [
    'after one that they skip',
    '2026-03-08T07:00:00.000Z',
    '02:30',
    'America/New_York',
    '2026-03-09T06:30:00.000Z',
  ],
  [
    'a time that they show twice',
    '2026-11-01T05:00:00.000Z',
    '01:30',
    'America/New_York',
    '2026-11-01T05:30:00.000Z',
  ],
  ['between the two', '2026-11-01T05:30:00.000Z', '01:30', 'America/New_York', '2026-11-02T06:30:00.000Z'],
  ['a day of 25 hours', '2026-11-01T13:00:00.000Z', '08:00', 'America/New_York', '2026-11-02T13:00:00.000Z'],
  [
    'half an hour of daylight saving',
    '2026-10-03T15:00:00.000Z',
    '02:15',
    'Australia/Lord_Howe',
    '2026-10-03T15:30:00.000Z',
  ],
])('the next reminder, %s', (_, at, time, zone, expected) => {
  expect(findNextReminder(at, time, zone)).toBe(expected)
})

test.each([
  ['00:00', true],
  ['23:59', true],
  ['24:00', false],
  ['9:00', false],
  ['09:60', false],
  ['09:00:00', false],
  ['٠٩:٠٠', false],
  ['', false],
])('%j is a time of day: %s', (text, expected) => {
  expect(isTimeOfDay(text)).toBe(expected)
})
