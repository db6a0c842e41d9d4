import { describe, expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

describe('formatBytes', () => {
  test('uses the largest unit of which there is one', () => {
    expect(formatBytes(0, 'en')).toBe('0 bytes')
    expect(formatBytes(999, 'en')).toBe('999 bytes')
    expect(formatBytes(1000, 'en')).toBe('1 kB')
    expect(formatBytes(48_000_000, 'en')).toBe('48 MB')
    expect(formatBytes(10_000_000_000, 'en')).toBe('10 GB')
    expect(formatBytes(3_000_000_000_000_000, 'en')).toBe('3,000 TB')
  })

  test('writes the decimal sign of the language', () => {
    expect(formatBytes(1_540_000, 'pt-BR')).toBe('1,5 MB')
  })
})
