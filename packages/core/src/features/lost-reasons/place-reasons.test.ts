import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeReasons, sortReasons } from './place-reasons.ts'

const T0 = '2026-03-01T12:00:00.000Z'
const T1 = '2026-03-02T12:00:00.000Z'
const at = (name: string, position: number, created_at = T0) => ({ name, position, created_at })

test.each([
  ['a reason at the start moves all others back', [at('a', 0), at('b', 1)], 0, [at('a', 1), at('b', 2)]],
  ['a reason in the middle moves those behind it', [at('a', 0), at('b', 1)], 1, [at('b', 2)]],
  ['a reason at the end moves none', [at('a', 0), at('b', 1)], 2, []],
  ['the gap of a moved reason is filled', [at('a', 0), at('c', 2)], 0, [at('a', 1)]],
  ['the gap of a deleted reason is filled', [at('a', 0), at('c', 2)], undefined, [at('c', 1)]],
  ['equal positions are ordered by age', [at('b', 0, T1), at('a', 0)], undefined, [at('b', 1, T1)]],
])('%s', (_, reasons, free, changed) => {
  expect(placeReasons(reasons, free)).toEqual(changed)
})

test('positions follow each other from 0 and keep the order, whatever they were', () => {
  const reason = fc.record({ position: fc.nat(5), created_at: fc.constantFrom(T0, T1) })
  fc.assert(
    fc.property(fc.array(reason), fc.option(fc.nat(6), { nil: undefined }), (entries, free) => {
      const reasons = entries.map((entry, id) => ({ ...entry, id }))
      const changed = new Map(placeReasons(reasons, free).map((each) => [each.id, each]))
      const placed = reasons.map((each) => changed.get(each.id) ?? each)
      const positions = placed.map(({ position }) => position).toSorted((a, b) => a - b)
      const expected = reasons.map((_, index) => (free === undefined || index < free ? index : index + 1))
      expect(positions).toEqual(expected)
      expect(sortReasons(placed).map(({ id }) => id)).toEqual(sortReasons(reasons).map(({ id }) => id))
    }),
  )
})
