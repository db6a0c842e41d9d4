import { expect, test } from 'vitest'
import { dueInstant, subjectFields } from './task-input.ts'

test('a due date without a time is the end of its day here', () => {
  expect(dueInstant('2026-11-27', '')).toBe(new Date(2026, 10, 27, 23, 59).toISOString())
  expect(dueInstant('2026-11-27', '09:30')).toBe(new Date(2026, 10, 27, 9, 30).toISOString())
  expect(dueInstant('', '09:30')).toBeUndefined()
  expect(dueInstant('2026-13-45', '')).toBeUndefined()
})

test('a task is about a deal, a person or a company', () => {
  expect(subjectFields({ kind: 'deals', id: 'd', name: 'D' })).toEqual({ deal_id: 'd' })
  expect(subjectFields({ kind: 'people', id: 'p', name: 'P' })).toEqual({ person_id: 'p' })
  expect(subjectFields({ kind: 'companies', id: 'c', name: 'C' })).toEqual({ company_id: 'c' })
  expect(subjectFields(null)).toEqual({})
})
