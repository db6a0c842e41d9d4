import { describe, expect, test } from 'vitest'
import { layoutBars, layoutRow } from './bar-layout.ts'

const plot = { x: 30, y: 10, width: 400, height: 100 }

describe('layoutBars', () => {
  test('puts bars on the lower edge, in proportion to the largest tick', () => {
    const [first, second] = layoutBars(plot, [[50], [200]], 200)
    expect(first).toEqual({ centre: 130, bars: [{ x: 110, y: 85, width: 40, height: 25 }] })
    expect(second?.bars[0]).toMatchObject({ y: 10, height: 100 })
  })

  test('puts the bars of a group beside each other, around its centre', () => {
    const [group] = layoutBars(plot, [[100, 50]], 100)
    expect(group?.bars.map(({ x }) => x)).toEqual([188, 232])
  })

  test('draws nothing for zeros', () => {
    const [group] = layoutBars(plot, [[0]], 0)
    expect(group?.bars[0]).toMatchObject({ height: 0, y: 110 })
  })

  test('keeps bars visible where there are many', () => {
    const groups = layoutBars(
      { ...plot, width: 50 },
      Array.from({ length: 40 }, () => [1, 1]),
      1,
    )
    expect(groups.every(({ bars }) => bars.every(({ width }) => width >= 2))).toBe(true)
  })

  test('has no groups without values', () => {
    expect(layoutBars(plot, [], 0)).toEqual([])
  })
})

describe('layoutRow', () => {
  test('puts the parts behind each other', () => {
    expect(layoutRow(plot, [50, 0, 25], 100).map(({ x, width }) => [x, width])).toEqual([
      [30, 200],
      [232, 0],
      [232, 100],
    ])
  })
})
