import { expect, test } from 'vitest'
import { joinActivity, splitOthers } from './member-activity.ts'

const group = (key: string | null, name: string | null, count: number) => ({ key, name, count })

test('joins activities and tasks by member, the most active first and nobody last', () => {
  const rows = joinActivity(
    [group(null, null, 90), group('a', 'ana@x.example', 3), group('b', 'bo@x.example', 2)],
    [group('b', 'bo@x.example', 5), group('c', 'gone@x.example', 1)],
    [
      { id: 'a', name: 'Ana' },
      { id: 'b', name: 'Bo' },
    ],
  )
  expect(rows).toEqual([
    { id: 'b', name: 'Bo', activities: 2, tasks: 5 },
    { id: 'a', name: 'Ana', activities: 3, tasks: 0 },
    { id: 'c', name: 'gone@x.example', activities: 0, tasks: 1 },
    { id: null, name: '', activities: 90, tasks: 0 },
  ])
})

test('of nothing is nothing', () => {
  expect(joinActivity([], [], [])).toEqual([])
})

test('sums up the others only if they are several', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id, activities: 1, tasks: 0 }))
  expect(splitOthers(rows, 3)).toEqual({ shown: rows, others: [] })
  expect(splitOthers(rows, 2)).toEqual({ shown: rows.slice(0, 2), others: rows.slice(2) })
})
