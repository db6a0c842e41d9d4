import { products } from '@sales-crm/core'
import { expect, test } from 'vitest'
import { explaining, storeOf, type Where } from './explaining.ts'
import { WORKSPACE } from './harness.ts'

const AT = '2026-03-01T12:00:00.000Z'
const MANY = 400

/** Products, of which half hold `half`, and one `one`. */
function explainingMany() {
  return explaining((tx) => {
    const rows = Array.from({ length: MANY }, (_, nth) => {
      const id = `0191d2f0-0000-7000-8000-000000000${String(nth).padStart(3, '0')}`
      const found_by = [nth % 2 === 0 ? 'half' : '', nth === 0 ? 'one' : ''].join(' ').trim()
      return { ...products.blank, id, entity_id: `R-${nth}`, name: id, found_by, created_at: AT, updated_at: AT }
    })
    return storeOf(tx, 'products').insertMany(rows as never)
  })
}

const begin = (...words: readonly string[]): Where => words.map((begins) => ({ field: 'found_by', begins }))

test('words that begin alike are come by from one to the next, each by the index', async () => {
  const { list, sent, close } = await explainingMany()
  await list('products', begin('ha', 'on'), 'created_at', 'desc')
  close()
  const named = sent.filter(({ sql }) => sql.includes('products_terms'))
  expect(named.map(({ values }) => values[0])).toEqual(['ha', 'on'].map((word) => WORKSPACE.replaceAll('-', '') + word))
  const steps = named.flatMap((each) => each.steps)
  // 0x200 says that the index is entered at a word.
  expect(new Set(steps.filter((step) => step.includes('products_terms')))).toEqual(
    new Set(['SCAN products_terms VIRTUAL TABLE INDEX 513:']),
  )
  expect(steps.filter((step) => step.includes('B-TREE'))).toEqual([])
})

test('where many rows hold the words, the newest are walked until the page is full; where few do, those are put in order', async () => {
  const { list, sent, close } = await explainingMany()
  const pageOf = async (word: string, order: 'asc' | 'desc') => {
    const { total } = await list('products', begin(word), 'created_at', order)
    return { total, ways: sent.splice(0).filter(({ sql }) => sql.includes('offset') && !sql.includes('_terms')) }
  }
  const sorted = (steps: readonly string[]) => steps.some((step) => step.includes('ORDER BY'))
  for (const order of ['desc', 'asc'] as const) {
    const { total, ways } = await pageOf('half', order)
    expect(total).toBe(MANY / 2)
    expect(ways.map(({ steps }) => sorted(steps))).toEqual([false])
    expect(ways[0]!.steps).toContain('SEARCH products USING COVERING INDEX products_by_created_at (workspace_id=?)')
  }
  const one = await pageOf('one', 'desc')
  expect(one.total).toBe(1)
  expect(one.ways.map(({ steps }) => sorted(steps))).toEqual([false, true])
  close()
})
