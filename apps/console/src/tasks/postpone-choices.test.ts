import { expect, test } from 'vitest'
import { Calendar } from '../format/calendar.ts'
import { postponeChoices } from './postpone-choices.ts'

const calendar = new Calendar('America/New_York')
/** A Friday evening in New York, and Saturday in UTC. Its clocks go forward on Sunday. */
const NOW = new Date('2026-03-07T03:00:00.000Z')
const isoOf = (choices: ReturnType<typeof postponeChoices>) =>
  Object.values(choices).map((date) => date.toISOString())

test('a task without a time is postponed to whole days of the workspace', () => {
  const days = ['2026-03-08T04:59:00.000Z', '2026-03-09T03:59:00.000Z', '2026-03-10T03:59:00.000Z']
  expect(isoOf(postponeChoices(undefined, NOW, calendar))).toEqual(days)
  expect(isoOf(postponeChoices(calendar.wholeDay('2026-03-01'), NOW, calendar))).toEqual(days)
})

test('a time of day is the same on clocks that went forward', () => {
  const due = new Date('2026-03-06T14:00:00.000Z')
  expect(isoOf(postponeChoices(due, NOW, calendar))).toEqual([
    '2026-03-07T14:00:00.000Z',
    '2026-03-08T13:00:00.000Z',
    '2026-03-09T13:00:00.000Z',
  ])
})
