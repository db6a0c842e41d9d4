import { expect, test } from 'vitest'
import { countConditions, formatFilter, NO_FILTER, parseFilter, withoutFields } from './filter.ts'

const ANA = { field: 'full_name', op: 'is', value: 'Ana' }

test.each([
  [undefined, NO_FILTER],
  ['', NO_FILTER],
  ['{', NO_FILTER],
  ['null', NO_FILTER],
  ['3', NO_FILTER],
  ['{"and":3}', NO_FILTER],
  [JSON.stringify(ANA), { join: 'and', parts: [ANA] }],
  [JSON.stringify({ or: [ANA, ANA] }), { join: 'or', parts: [ANA, ANA] }],
])('the filter %s of an address is read', (text, filter) => {
  expect(parseFilter(text)).toEqual(filter)
})

test('a filter is written as it is read', () => {
  for (const join of ['and', 'or'] as const) {
    const filter = { join, parts: [ANA, { or: [ANA, { and: [ANA, ANA] }] }] }
    expect(parseFilter(formatFilter(filter))).toEqual(filter)
    expect(countConditions({ and: filter.parts })).toBe(4)
  }
  expect(formatFilter(NO_FILTER)).toBeUndefined()
})

test('comparisons of deleted fields are left out, and groups without any', () => {
  const gone = { field: 'custom_fields.size', op: 'is', value: 3 }
  const parts = [gone, ANA, { or: [gone, { and: [gone] }] }, { and: [ANA, gone] }]
  expect(withoutFields({ join: 'or', parts }, [gone.field])).toEqual({
    ...{ join: 'or', parts: [ANA, { and: [ANA] }] },
  })
})
