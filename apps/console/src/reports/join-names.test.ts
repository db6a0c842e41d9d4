import { expect, test } from 'vitest'
import { joinNames } from './join-names.ts'

const join = (names: readonly string[]) =>
  joinNames(names, 'en-GB', (count) => `${count} others`).replace(/[\u2068\u2069]/g, '')

test('lists names as a sentence does', () => {
  expect(join(['Ana'])).toBe('Ana')
  expect(join(['Ana', 'Bo'])).toBe('Ana and Bo')
  expect(join(['A', 'B', 'C', 'D'])).toBe('A, B, C and D')
})

test('counts the others of many', () => {
  expect(join(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C and 2 others')
})

test('isolates each name, so that its direction ends with it', () => {
  expect(joinNames(['\u202eAna'], 'en', String)).toBe('\u2068\u202eAna\u2069')
})
