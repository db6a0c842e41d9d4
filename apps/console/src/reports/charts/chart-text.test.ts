import { expect, test } from 'vitest'
import { cutToWidth, estimateWidth, labelStep } from './chart-text.ts'

test('cuts a text at the end if it does not fit', () => {
  expect(cutToWidth('Demo', 100)).toBe('Demo')
  expect(cutToWidth('Negotiation', 60)).toBe('Negoti…')
  expect(cutToWidth('Ana Lima', 42)).toBe('Ana…')
  expect(cutToWidth('Demo', 0)).toBe('D…')
})

test('does not cut through an emoji', () => {
  expect(cutToWidth('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 18)).toBe('👩‍👩‍👧‍👦…')
  expect(estimateWidth('👩‍👩‍👧‍👦')).toBeLessThan(10)
})

test('leaves out labels that would touch', () => {
  expect(labelStep(['Jan', 'Feb'], 60)).toBe(1)
  expect(labelStep(['Jan', 'Feb'], 20)).toBe(2)
  expect(labelStep([], 20)).toBe(1)
  expect(labelStep(['Jan'], 0)).toBe(1)
})
