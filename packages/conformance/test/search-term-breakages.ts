import type { Condition, Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { TERMS_FIELDS } from '../src/search-helpers.ts'
import {
  alterSearch,
  alterStorage,
  mapReads,
  matchesCondition,
  searchMethods,
  splitTerms,
} from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const SEARCH_TERM_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Terms are stored unchanged',
    breakage: 'a repeated term is stored once',
    noticedBy: 'round trip: products: terms values are returned unchanged',
    open: () =>
      mapReads((row, { name }) =>
        name === 'products'
          ? { ...row, search_terms: [...new Set(splitTerms(row['search_terms']))].join(' ') }
          : row,
      ),
  },
  {
    guarantee: '`hasTerm` matches whole terms',
    breakage: '`hasTerm` matches any part of the text',
    noticedBy: 'search terms: products.search_terms: `hasTerm` matches a whole term at any position',
    open: () => alterTermRules({ hasTerm: (text, term) => text.includes(term) }),
  },
  {
    guarantee: 'An underscore is an ordinary character',
    breakage: 'an underscore matches any character, as in LIKE',
    noticedBy: 'search terms: products.search_terms: `hasTerm` matches a whole term at any position',
    open: () =>
      alterTermRules({
        hasTerm: (text, term) => new RegExp(`(^| )${term.replaceAll('_', '.')}( |$)`).test(text),
      }),
  },
  {
    guarantee: '`hasPrefix` examines every term',
    breakage: '`hasPrefix` examines only the first term',
    noticedBy:
      'search terms: products.search_terms: `hasPrefix` matches the start of any term and never spans terms',
    open: () => alterTermRules({ hasPrefix: (text, start) => text.startsWith(start) }),
  },
  {
    guarantee: 'A searched term is not a pattern',
    breakage: '% and * are wildcards',
    noticedBy: 'search terms: products.search_terms: text that is not a term matches nothing',
    open: () =>
      alterTermRules({
        hasPrefix: (text, start) =>
          splitTerms(text).some((term) => term.startsWith(start.replace(/[%*]$/, ''))),
      }),
  },
  {
    guarantee: 'Terms are compared exactly',
    breakage: 'terms are compared without accents',
    noticedBy:
      'search terms: products.search_terms: accents, case and compatibility forms of letters are significant',
    open: () =>
      alterTermRules({ hasTerm: (text, term) => splitTerms(foldAccents(text)).includes(foldAccents(term)) }),
  },
  {
    guarantee: 'A record must satisfy every term condition',
    breakage: 'one matching term is enough',
    noticedBy:
      'search terms: products.search_terms: a record must satisfy every condition, on terms or on other fields',
    open: () =>
      alterStorage((store) =>
        searchMethods(store, async (where) => {
          const [terms, others] = [
            where.filter((each) => 'hasTerm' in each),
            where.filter((each) => !('hasTerm' in each)),
          ]
          const rows = await store.find(others)
          return rows.filter((row) => terms.length === 0 || terms.some((each) => matchesCondition(row, each)))
        }),
      ),
  },
  {
    guarantee: 'Long terms are compared in full',
    breakage: 'terms are truncated to a hundred characters',
    noticedBy: 'search terms: products.search_terms: terms of two hundred characters are compared in full',
    open: () =>
      alterTermRules({
        hasTerm: (text, term) => splitTerms(text).some((each) => each.slice(0, 100) === term.slice(0, 100)),
      }),
  },
  {
    guarantee: 'A record is found by its current terms only',
    breakage: 'a record is found by all terms it ever had',
    noticedBy:
      'search terms: products.search_terms: a record is found by its current terms only, from the write on',
    open: () => searchByIndex((before, text) => `${before ?? ''} ${text}`),
  },
  {
    guarantee: 'The term index is rolled back',
    breakage: 'the term index is not rolled back',
    noticedBy: 'search terms: products.search_terms: a rolled-back write adds and removes no terms',
    open: () => searchByIndex((_, text) => text),
  },
  {
    guarantee: 'The term index is per workspace',
    breakage: 'the term index is keyed by id alone',
    noticedBy: 'search terms: products.search_terms: a search stays within its workspace, even for equal ids',
    open: () =>
      searchByIndex(
        (_, text) => text,
        ({ id }) => id,
      ),
  },
  {
    guarantee: 'Any number of records can hold a term',
    breakage: 'a search stops at a thousand records',
    noticedBy: 'search terms: pages, totals and counts are correct when thousands of records hold one term',
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          const { rows, total } = await store.list(query)
          return { rows, total: Math.min(total, 1000) }
        },
      })),
  },
  {
    guarantee: 'countByTerm counts a record once',
    breakage: 'countByTerm counts each occurrence of a term',
    noticedBy: 'countByTerm: products.search_terms: counts each record that holds the whole term once',
    open: () =>
      alterStorage((store) => ({
        async countByTerm(field, terms) {
          const all = (await store.find([])).flatMap((row) => splitTerms(row[field]))
          return new Map(terms.map((term) => [term, all.filter((each) => each === term).length]))
        },
      })),
  },
  {
    guarantee: 'countByTerm includes terms without records',
    breakage: 'countByTerm omits terms without records',
    noticedBy:
      'countByTerm: products.search_terms: has one entry per distinct term, zero if no record holds it',
    open: () =>
      alterStorage((store) => ({
        countByTerm: async (field, terms) =>
          new Map([...(await store.countByTerm(field, terms))].filter(([, count]) => count > 0)),
      })),
  },
  {
    guarantee: 'countByTerm counts a repeated term once',
    breakage: 'countByTerm doubles the count of a repeated term',
    noticedBy:
      'countByTerm: products.search_terms: has one entry per distinct term, zero if no record holds it',
    open: () =>
      alterStorage((store) => ({
        async countByTerm(field, terms) {
          const counts = await store.countByTerm(field, terms)
          return new Map(
            [...counts].map(([term, count]) => [term, count * terms.filter((each) => each === term).length]),
          )
        },
      })),
  },
  {
    guarantee: 'countByTerm is empty for no terms',
    breakage: 'countByTerm of no terms counts every term',
    noticedBy: 'countByTerm: products.search_terms: is empty for no terms',
    open: () =>
      alterStorage((store) => ({
        async countByTerm(field, terms) {
          const all = (await store.find([])).flatMap((row) => splitTerms(row[field]))
          return store.countByTerm(field, terms.length > 0 ? terms : all)
        },
      })),
  },
  {
    guarantee: 'countByTerm accepts hundreds of terms',
    breakage: 'countByTerm counts only a hundred terms',
    noticedBy: 'countByTerm: products.search_terms: counts three hundred terms at once',
    open: () =>
      alterStorage((store) => ({
        countByTerm: (field, terms) => store.countByTerm(field, terms.slice(0, 100)),
      })),
  },
  {
    guarantee: 'countByTerm excludes deleted records',
    breakage: 'countByTerm includes deleted records',
    noticedBy: 'countByTerm: products.search_terms: excludes deleted records and those of another workspace',
    open: countDeleted,
  },
]

/** A store with other rules for `hasTerm` and `hasPrefix`. */
function alterTermRules(
  rules: { readonly [R in 'hasTerm' | 'hasPrefix']?: (text: string, searched: string) => boolean },
): Storage {
  const matches = (row: Row, condition: Condition<Row>) => {
    if ('hasTerm' in condition && rules.hasTerm)
      return rules.hasTerm(String(row[condition.field]), condition.hasTerm)
    if ('hasPrefix' in condition && rules.hasPrefix)
      return rules.hasPrefix(String(row[condition.field]), condition.hasPrefix)
    return matchesCondition(row, condition)
  }
  return alterSearch({ matches })
}

function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '')
}

/** A store that searches an index of its own. `next` returns the indexed text of a record after a write. */
function searchByIndex(
  next: (before: string | undefined, text: string) => string,
  keyOf = (row: Row, workspace: string) => `${row.id} ${workspace}`,
): Storage {
  const index = new Map<string, string>()
  return alterStorage((store, { spec, workspace }) => {
    const termsField = TERMS_FIELDS.find((each) => each.spec.name === spec.name)
    if (!termsField) return {}
    const { field } = termsField
    const indexRow = (row: Row) => {
      const key = keyOf(row, workspace)
      index.set(key, next(index.get(key), String(row[field])))
    }
    const asIndexed = (row: Row) => ({ ...row, [field]: index.get(keyOf(row, workspace)) ?? row[field] })
    const find = async (where: readonly Condition<Row>[]) => {
      return (await store.find([])).filter((row) =>
        where.every((each) => matchesCondition(asIndexed(row), each)),
      )
    }
    return {
      async insert(row) {
        await store.insert(row)
        indexRow(row)
      },
      async update(row) {
        await store.update(row)
        indexRow(row)
      },
      ...searchMethods(store, find),
    }
  })
}

function countDeleted(): Storage {
  const deleted: Row[] = []
  return alterStorage((store) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      if (row) deleted.push(row)
      return store.softDelete(id, at)
    },
    async countByTerm(field, terms) {
      const counts = await store.countByTerm(field, terms)
      const countDeletedRows = (term: string) =>
        deleted.filter((row) => splitTerms(row[field]).includes(term)).length
      return new Map([...counts].map(([term, count]) => [term, count + countDeletedRows(term)]))
    },
  }))
}
