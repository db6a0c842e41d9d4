import type { Filter } from '../../engine/list-query.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import type { Condition } from '../../ports/index.ts'
import type { Company } from '../../schema/company.ts'
import type { Deal } from '../../schema/deal.ts'
import { KINDS } from '../../schema/index.ts'
import { findExactMatch } from '../associations/exact-matches.ts'
import { buildSearch } from '../associations/search-filters.ts'
import { type Search, searchText, whereWords } from '../associations/search-text.ts'

/** Bounds the ids in a query: a word of one letter matches nearly every company. */
const MAX_COMPANIES = 100

/** Finds deals by their names, and by the newest companies that match. */
export const dealSearch: Filter<Deal, typeof searchText> = {
  schema: searchText,
  async conditions(search, transaction) {
    const [exact, companyIds] = await Promise.all([
      findExactMatch('deals', search, transaction),
      findCompanies(search, transaction),
    ])
    if (exact) return [exact as Condition<Deal>]
    const words = whereWords(search.terms) as readonly Condition<Deal>[]
    if (companyIds.length === 0) return words
    return [{ anyOf: [{ allOf: words }, { field: 'company_id', oneOf: companyIds }] }]
  },
}

const { companies } = KINDS

/** Of an actor who may read companies: their e-mail addresses and phones are not in a deal. */
async function findCompanies(search: Search, transaction: ViewTransaction): Promise<readonly string[]> {
  if (!transaction.actor.scopes.has(companies.scopes.read)) return []
  const { rows } = await transaction.stores.companies.list({
    where: await buildSearch<Company>('companies', search, transaction),
    ...{ page: 1, per_page: MAX_COMPANIES, order_by: 'created_at', order: 'desc' },
    omit: Object.keys(companies.shape.columns) as (keyof Company)[],
  })
  return rows.map(({ id }) => id)
}
