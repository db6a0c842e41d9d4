import { describe, expect, test } from 'vitest'
import { readField } from './cell-values.ts'

const FORMAT = {
  ...{ numberFormat: { decimal: '.' }, dateOrder: 'dmy', timeZone: 'America/Sao_Paulo', currency: 'BRL' },
} as unknown as Parameters<typeof readField>[2]

describe('a day without a time', () => {
  test.each([
    ['deals', 'forecast_date'],
    ['tasks', 'due_date'],
  ] as const)('is its end for %s.%s', (kind, field) => {
    const read = (cell: string) => readField({ kind, field }, cell, FORMAT)
    expect(read('01/12/2026')).toEqual({ value: '2026-12-02T02:59:00.000Z' })
    expect(read('01/12/2026 10:30')).toEqual({ value: '2026-12-01T13:30:00.000Z' })
    expect(read('soon')).toMatchObject({ rule: { code: expect.any(String) } })
  })

  test('is its beginning for the time at which a deal was closed', () => {
    expect(readField({ kind: 'deals', field: 'closed_at' }, '01/12/2026', FORMAT)).toEqual({
      value: '2026-12-01T03:00:00.000Z',
    })
  })
})
