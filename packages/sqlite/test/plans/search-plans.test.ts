import { RESOURCES } from '@sales-crm/core/declarations'
import { expect, test } from 'vitest'
import { WORKSPACE } from '../harness.ts'
import { type Conditions, createExplainingStorage, storeOf } from './explain.ts'

const { products } = RESOURCES

const AT = '2026-03-01T12:00:00.000Z'
const PRODUCTS = 400

/**
 * Creates products one minute apart, except the last inserted, whose `created_at` lies between numbers 100
 * and 101.
 */
function explainManyProducts() {
  return createExplainingStorage((tx) => {
    const rows = Array.from({ length: PRODUCTS }, (_, nth) => {
      const id = `0191d2f0-0000-7000-8000-000000000${String(nth).padStart(3, '0')}`
      const isLast = nth === PRODUCTS - 1
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

const prefixConditions = (...prefixes: readonly string[]): Conditions =>
  prefixes.map((hasPrefix) => ({ field: 'search_terms', hasPrefix }))

test('expanding a prefix seeks from term to term in the index', async () => {
  const { list, statements, close } = await explainManyProducts()
  await list('products', prefixConditions('ha', 'ol'), 'created_at', 'desc')
  close()
  const expansions = statements.filter(({ sql }) => sql.includes('products_terms'))
  expect(expansions.map(({ values }) => values[0])).toEqual(
    ['ha', 'ol'].map((prefix) => WORKSPACE.replaceAll('-', '') + prefix),
  )
  const steps = expansions.flatMap((each) => each.steps)
  // Flag 0x200: the index is entered at a term.
  expect(new Set(steps.filter((step) => step.includes('products_terms')))).toEqual(
    new Set(['SCAN products_terms VIRTUAL TABLE INDEX 513:']),
  )
  expect(steps.filter((step) => step.includes('B-TREE'))).toEqual([])
})

test('a page takes the first matches if they are in creation order, else sorts all matches', async () => {
  const { list, statements, close } = await explainManyProducts()
  const isSorted = async (prefix: string, order: 'asc' | 'desc') => {
    const { rows } = await list('products', prefixConditions(prefix), 'created_at', order)
    expect(rows).toHaveLength(20)
    const pageStatements = statements
      .splice(0)
      .filter(({ sql }) => sql.includes('offset') && !sql.includes('products_terms'))
    return pageStatements.length > 1
  }
  expect(await isSorted('half', 'desc')).toBe(false)
  expect(await isSorted('half', 'asc')).toBe(false)
  // Newest first, the last inserted row is among the first matches but not on the page; oldest first, the
  // reverse.
  expect(await isSorted('middle', 'desc')).toBe(true)
  expect(await isSorted('middle', 'asc')).toBe(true)
  // Skipping back to the oldest rows would cost more than sorting so few.
  expect(await isSorted('old', 'desc')).toBe(true)
  close()
})

test('a search of deals joins the index of terms and that of companies', async () => {
  const { list, statements, close } = await createExplainingStorage(async () => {})
  const words = prefixConditions('roof', 'new')
  const ofCompanies: Conditions = [{ anyOf: [{ allOf: words }, { field: 'company_id', oneOf: [WORKSPACE] }] }]
  await list('deals', ofCompanies, 'created_at', 'desc')
  await list('deals', [{ field: 'owner_user_id', is: WORKSPACE }, ...ofCompanies], 'amount', 'asc')
  close()
  const pages = statements.filter(({ sql }) => sql.includes('deals_words'))
  expect(pages).toHaveLength(2)
  for (const { steps, sql } of pages) {
    const ofDeals = steps.filter((step) => /^(SCAN|SEARCH) deals/.test(step))
    expect(new Set(ofDeals), sql).toEqual(
      new Set([
        'SCAN deals_words VIRTUAL TABLE INDEX 64:M1',
        'SEARCH deals USING COVERING INDEX deals_of_company_id (workspace_id=? AND company_id=?)',
        'SEARCH deals USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH deals USING INDEX sqlite_autoindex_deals_1 (workspace_id=? AND id=?)',
      ]),
    )
  }
})
