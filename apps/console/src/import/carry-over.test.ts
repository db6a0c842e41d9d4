import type { Import } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { carryOver } from './carry-over.ts'

const column = { number_format: 'point', date_order: 'dmy', target: { kind: 'people', field: 'tags' } }

test('columns become what those of their names became, and new ones are left out', () => {
  const earlier = {
    columns: [
      {
        ...{ ...column, name: 'Name', target: { kind: 'people', field: 'full_name' }, date_order: 'mdy' },
        ...{ replace: [{ from: 'x', to: null }], if_invalid: 'blank' },
      },
    ],
    ...{ policy: 'keep', match: { people: null }, owner: { email: 'ana@demo.example' }, tags: ['x'] },
  } as unknown as Import
  const next = {
    columns: [
      { ...column, name: 'error' },
      { ...column, name: 'Name' },
    ],
  } as unknown as Import
  expect(carryOver(earlier, next)).toMatchObject({
    ...{ policy: 'keep', match: { people: null }, owner_email: 'ana@demo.example', tags: ['x'] },
    columns: [
      { column: 0, target: null },
      {
        ...{ column: 1, target: { kind: 'people', field: 'full_name' }, date_order: 'mdy' },
        ...{ replace: [{ from: 'x', to: null }], if_invalid: 'blank' },
      },
    ],
  })
})
