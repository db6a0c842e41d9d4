import type { TaskListItem } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { Calendar } from '../format/calendar.ts'
import { groupByDue, mergeByDue } from './use-my-day.ts'

const task = (id: string, due_date: string | null, completed = false) =>
  ({ id, due_date, completed }) as TaskListItem

test('tasks are sorted into overdue, today and the week of the workspace', () => {
  const groups = groupByDue(
    [
      task('late', '2026-11-26T14:59:00.000Z'),
      task('completed', '2026-11-26T12:00:00.000Z', true),
      task('today', '2026-11-27T02:59:00.000Z'),
      task('tomorrow', '2026-11-27T03:00:00.000Z'),
      task('none', null),
    ],
    new Date('2026-11-26T15:00:00.000Z'),
    new Calendar('America/Sao_Paulo'),
  )
  expect(groups.overdue.map(({ id }) => id)).toEqual(['late', 'completed'])
  expect(groups.today.map(({ id }) => id)).toEqual(['today'])
  expect(groups.week.map(({ id }) => id)).toEqual(['tomorrow'])
})

test('completed tasks stand among the open ones, by their dates', () => {
  const [first, second] = [
    task('first', '2026-11-26T12:00:00.000Z', true),
    task('second', '2026-11-26T13:00:00.000Z'),
  ]
  expect(mergeByDue([second!], [first!]).map(({ id }) => id)).toEqual(['first', 'second'])
})
