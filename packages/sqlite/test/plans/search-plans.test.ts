import { products } from '@sales-crm/core'
import { expect, test } from 'vitest'
import { WORKSPACE } from '../harness.ts'
import { type Conditions, createExplainingStorage, storeOf } from './explain.ts'

const AT = '2026-03-01T12:00:00.000Z'
const MANY = 400

/**
 * Products of a minute each, but for the last to come, which is created between the hundredth and the next.
 */
function explainManyProducts() {
  return createExplainingStorage((tx) => {
    const rows = Array.from({ length: MANY }, (_, nth) => {
      const id = `0191d2f0-0000-7000-8000-000000000${String(nth).padStart(3, '0')}`
      const isLast = nth === MANY - 1
      const search_terms = [
        nth % 2 === 0 ? 'half' : '',
        nth < 21 ? 'old' : '',
        isLast || (nth >= 90 && nth < 130) ? 'middle' : '',
      ]
      const created_at = new Date(Date.parse(AT) + (isLast ? 100.5 : nth) * 60_000).toISOString()
      return {
        ...products.defaults,
        id,
        entity_id: `R-${nth}`,
        name: id,
        search_terms: search_terms.join(' ').trim(),
        created_at,
        updated_at: AT,
      }
    })
    return storeOf(tx, 'products').insertMany(rows as never)
  })
}

const prefixConditions = (...words: readonly string[]): Conditions =>
  words.map((hasPrefix) => ({ field: 'search_terms', hasPrefix }))

test('words that begin alike are come by from one to the next, each by the index', async () => {
  const { list, sent, close } = await explainManyProducts()
  await list('products', prefixConditions('ha', 'ol'), 'created_at', 'desc')
  close()
  const named = sent.filter(({ sql }) => sql.includes('products_terms'))
  expect(named.map(({ values }) => values[0])).toEqual(
    ['ha', 'ol'].map((word) => WORKSPACE.replaceAll('-', '') + word),
  )
  const steps = named.flatMap((each) => each.steps)
  // 0x200 says that the index is entered at a word.
  expect(new Set(steps.filter((step) => step.includes('products_terms')))).toEqual(
    new Set(['SCAN products_terms VIRTUAL TABLE INDEX 513:']),
  )
  expect(steps.filter((step) => step.includes('B-TREE'))).toEqual([])
})

test('the first rows that words name are the page, where those came in the order of their creation; else all are put in order', async () => {
  const { list, sent, close } = await explainManyProducts()
  const isSorted = async (word: string, order: 'asc' | 'desc') => {
    const { rows } = await list('products', prefixConditions(word), 'created_at', order)
    expect(rows).toHaveLength(20)
    const ways = sent.splice(0).filter(({ sql }) => sql.includes('offset') && !sql.includes('products_terms'))
    return ways.length > 1
  }
  expect(await isSorted('half', 'desc')).toBe(false)
  expect(await isSorted('half', 'asc')).toBe(false)
  // The last to come is among the first that are named, and yet not on the page; in the other order it is the
  // other way round.
  expect(await isSorted('middle', 'desc')).toBe(true)
  expect(await isSorted('middle', 'asc')).toBe(true)
  // To walk back to the oldest would be more work than to put so few in order.
  expect(await isSorted('old', 'desc')).toBe(true)
  close()
})
