import { expect, test } from 'vitest'
import { countMembers, countTypes } from './completed-tasks.ts'

const type = (id: string) => ({
  ...{ id, title: id.toUpperCase(), key: id, color: '#000000', created_at: '', updated_at: '' },
})
const ana = { id: 'a', name: 'Ana', email: 'ana@x.example' }
const rows = [
  { month: '2026-01', type: type('call'), owner: ana, count: 2 },
  { month: '2026-01', type: type('call'), owner: null, count: 1 },
  { month: '2026-03', type: type('call'), owner: ana, count: 4 },
  { month: '2026-02', type: null, owner: ana, count: 9 },
]

test('counts tasks by type and month, the type with most first', () => {
  expect(countTypes(rows, ['2026-01', '2026-02', '2026-03'])).toEqual([
    { id: null, title: '', counts: [0, 9, 0], total: 9 },
    { id: 'call', title: 'CALL', counts: [3, 0, 4], total: 7 },
  ])
})

test('counts tasks by member', () => {
  expect(countMembers(rows)).toEqual([
    { key: 'a', name: 'ana@x.example', count: 15 },
    { key: null, name: null, count: 1 },
  ])
})
