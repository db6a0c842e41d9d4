import type { Task } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { endOfDay } from '../format/dates.ts'
import { groupByDue, mergeByDue } from './use-my-day.ts'

const NOW = new Date(2026, 10, 26, 12, 0)
const task = (id: string, due: Date | null, completed = false) =>
  ({ id, due_date: due?.toISOString() ?? null, completed }) as Task

test('tasks are sorted into overdue, today and the week', () => {
  const groups = groupByDue(
    [
      task('late', new Date(2026, 10, 26, 11, 59)),
      task('completed', new Date(2026, 10, 26, 9, 0), true),
      task('today', endOfDay(NOW)),
      task('tomorrow', new Date(2026, 10, 27, 0, 0)),
      task('none', null),
    ],
    NOW,
  )
  expect(groups.overdue.map(({ id }) => id)).toEqual(['late', 'completed'])
  expect(groups.today.map(({ id }) => id)).toEqual(['today'])
  expect(groups.week.map(({ id }) => id)).toEqual(['tomorrow'])
})

test('completed tasks stand among the open ones, by their dates', () => {
  const [first, second] = [
    task('first', new Date(2026, 10, 26, 9), true),
    task('second', new Date(2026, 10, 26, 10)),
  ]
  expect(mergeByDue([second!], [first!]).map(({ id }) => id)).toEqual(['first', 'second'])
})
