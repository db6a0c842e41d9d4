import { expect, test } from 'vitest'
import { narrowFilter } from './list-source.ts'

const ANA = { field: 'owner', op: 'is', value: 'ana' }
const WON = { field: 'stage.type', op: 'is', value: 'win' }
const OPEN = { field: 'stage.type', op: 'is', value: 'open' }

test.each([
  [undefined, { and: [ANA] }],
  [JSON.stringify(WON), { and: [WON, ANA] }],
  [{ and: [WON] }, { and: [WON, ANA] }],
  [JSON.stringify({ or: [WON, OPEN] }), { and: [{ or: [WON, OPEN] }, ANA] }],
])('a filter %# and a condition both hold', (filter, narrowed) => {
  expect(JSON.parse(narrowFilter(filter, ANA))).toEqual(narrowed)
})
