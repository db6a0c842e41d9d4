import { expect, test } from 'vitest'
import { chooseRows, listOver, shareOfTarget, sumRows } from './target-rows.ts'

const ownerOf = (id: string) => ({ id, name: id, email: `${id}@x.example` })
const ANN = { owner: ownerOf('ann'), target: 1000, won: 700, forecast: 400, difference: 100 }
const BEN = { owner: ownerOf('ben'), target: 500, won: 0, forecast: 100, difference: -400 }
const NOBODY = { owner: null, target: null, won: 9, forecast: 0, difference: null }
const ROWS = [ANN, BEN, NOBODY]

test('the sums and the share are those of the chosen rows', () => {
  expect(sumRows(ROWS)).toEqual({ target: 1500, won: 709, forecast: 500, difference: -291 })
  expect(sumRows(chooseRows(ROWS, new Set(['ann'])))).toMatchObject({ target: 1000, difference: 100 })
  expect(sumRows([NOBODY])).toEqual({ target: null, won: 9, forecast: 0, difference: null })
  expect(chooseRows(ROWS, undefined)).toBe(ROWS)
  expect(chooseRows(ROWS, new Set())).toEqual([])
  expect([shareOfTarget(ANN), shareOfTarget(NOBODY)]).toEqual([1.1, null])
  expect(listOver(ROWS)).toEqual([ANN])
})
