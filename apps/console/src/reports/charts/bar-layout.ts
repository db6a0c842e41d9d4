import { scaleLength } from './scale.ts'

const BAR_GAP = 4
const MAX_BAR = 40
const MIN_BAR = 2
const FILLED = 0.7

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface BarGroup {
  readonly centre: number
  readonly bars: readonly Box[]
}

/** Places the bars of each group beside each other, on the lower edge of the plot. */
export function layoutBars(
  plot: Box,
  groups: readonly (readonly number[])[],
  max: number,
): readonly BarGroup[] {
  const slot = plot.width / Math.max(1, groups.length)
  return groups.map((sizes, index) => {
    const centre = plot.x + slot * (index + 0.5)
    const gaps = BAR_GAP * (sizes.length - 1)
    const free = (slot * FILLED - gaps) / Math.max(1, sizes.length)
    const width = Math.min(MAX_BAR, Math.max(MIN_BAR, free))
    const start = centre - (width * sizes.length + gaps) / 2
    const bars = sizes.map((size, nth) => {
      const height = scaleLength(size, max, plot.height)
      return { x: start + nth * (width + BAR_GAP), y: plot.y + plot.height - height, width, height }
    })
    return { centre, bars }
  })
}

const SEGMENT_GAP = 2

/** Places the parts of a row behind each other, from the left edge of the plot. Parts of size 0 have no gap. */
export function layoutRow(plot: Box, sizes: readonly number[], max: number): readonly Box[] {
  let x = plot.x
  return sizes.map((size) => {
    const width = scaleLength(size, max, plot.width)
    const box = { x, y: plot.y, width, height: plot.height }
    if (width > 0) x += width + SEGMENT_GAP
    return box
  })
}
