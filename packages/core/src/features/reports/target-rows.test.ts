import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTargetRows, sumTargetRows } from './target-rows.ts'

const ownerOf = (id: string) => ({ id, name: id, email: `${id}@acme.example` })
const OWNERS = new Map(['ann', 'ben', 'cid'].map((id) => [id, ownerOf(id)]))
const FIRST = { id: 'first', probability: 25 }
const LAST = { id: 'last', probability: 50 }

test('rows compare what an owner has won and is expected to win with its target', () => {
  const rows = buildTargetRows(
    {
      targets: [
        { ownerId: 'ann', sum: 1000n },
        { ownerId: 'ben', sum: 500n },
      ],
      won: [
        { ownerId: 'ben', sum: 400n },
        { ownerId: 'cid', sum: 70n },
        { ownerId: null, sum: 9n },
        { ownerId: 'gone', sum: 1n },
      ],
      open: [
        // Half a cent of each stage is rounded up.
        { ownerId: 'ann', sum: 2n, stage: FIRST },
        { ownerId: 'ann', sum: 1n, stage: LAST },
        { ownerId: 'ben', sum: 400n, stage: LAST },
        { ownerId: 'gone', sum: 1n, stage: FIRST },
        { ownerId: null, sum: 1n, stage: FIRST },
      ],
    },
    OWNERS,
  )
  expect(rows).toEqual([
    { owner: ownerOf('ben'), target: 500, won: 400, forecast: 200, difference: 100 },
    { owner: ownerOf('ann'), target: 1000, won: 0, forecast: 2, difference: -998 },
    { owner: ownerOf('cid'), target: null, won: 70, forecast: 0, difference: null },
    // The parts of nobody and of a removed owner in one stage are rounded together.
    { owner: null, target: null, won: 10, forecast: 1, difference: null },
  ])
  expect(sumTargetRows(rows)).toEqual({ target: 1500, won: 480, forecast: 203, difference: -817 })
})

test('without a target there is nothing to compare', () => {
  const won = [{ ownerId: 'ann', sum: 0n }]
  expect(buildTargetRows({ targets: [], won, open: [] }, OWNERS)).toEqual([])
  expect(sumTargetRows([])).toEqual({ target: null, won: 0, forecast: 0, difference: null })
})

test('what cannot be written exactly is refused', () => {
  const won = [{ ownerId: 'ann', sum: 2n ** 53n }]
  expect(() => buildTargetRows({ targets: [], won, open: [] }, OWNERS)).toThrow(
    expect.objectContaining({ fields: { month: expect.stringContaining('beyond 9007199254740991') } }),
  )
})

test('each amount is in one row, and the total is that of the rows', () => {
  const ownerId = fc.constantFrom('ann', 'ben', 'gone', null)
  const sum = fc.bigInt(0n, 10n ** 12n)
  const amounts = fc.array(fc.record({ ownerId, sum }))
  const open = fc.array(fc.record({ ownerId, sum, stage: fc.constantFrom(FIRST, LAST) }))
  fc.assert(
    fc.property(amounts, amounts, open, (targets, won, open) => {
      const rows = buildTargetRows({ targets, won, open }, OWNERS)
      const total = sumTargetRows(rows)
      const sumOf = (parts: readonly { readonly sum: bigint }[]) =>
        Number(parts.reduce((all, part) => all + part.sum, 0n))
      expect(new Set(rows.map(({ owner }) => owner?.id ?? null)).size).toBe(rows.length)
      expect([total.target ?? 0, total.won]).toEqual([sumOf(targets), sumOf(won)])
      expect(total.forecast).toBe(rows.reduce((all, { forecast }) => all + forecast, 0))
      // Each stage of an owner is rounded by half a minor unit at most.
      const exact = open.reduce((all, { sum, stage }) => all + Number(sum) * (stage.probability / 100), 0)
      expect(Math.abs(total.forecast - exact)).toBeLessThanOrEqual(0.5 * 2 * 3)
      if (total.difference !== null) expect(total.difference).toBe(total.won + total.forecast - total.target!)
    }),
  )
})
