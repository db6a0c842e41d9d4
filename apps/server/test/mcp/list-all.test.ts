import { expect, test } from 'vitest'
import { listAll } from '../../src/mcp/list-all.ts'

test('lists the records of all pages, up to two thousand', async () => {
  for (const [total, listed] of [
    [0, 0],
    [250, 250],
    [5_000, 2_000],
  ] as const) {
    const names = await listAll(async ({ page, per_page }) => {
      const [from, end] = [(page - 1) * per_page, Math.min(page * per_page, total)]
      const data = Array.from({ length: end - from }, (_, index) => from + index)
      return { data, meta: { total, page, per_page, has_more: end < total } }
    })
    expect(names).toEqual(Array.from({ length: listed }, (_, index) => index))
  }
})
