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
    guarantee: 'Words are kept as they are',
    breakage: 'a word comes back once',
    noticedBy: 'round trip: products: words comes back to the letter',
    open: () =>
      mapReads((row, { name }) =>
        name === 'products' ? { ...row, found_by: [...new Set(splitTerms(row['found_by']))].join(' ') } : row,
      ),
  },
  {
    guarantee: '`holds` finds whole words',
    breakage: 'it finds any part of the text',
    noticedBy: 'words: products.found_by: `holds` finds exactly the word, wherever it stands',
    open: () => alterTermRules({ holds: (text, word) => text.includes(word) }),
  },
  {
    guarantee: 'An underscore is a character of a word',
    breakage: 'it stands for any character, as in LIKE',
    noticedBy: 'words: products.found_by: `holds` finds exactly the word, wherever it stands',
    open: () =>
      alterTermRules({
        holds: (text, word) => new RegExp(`(^| )${word.replaceAll('_', '.')}( |$)`).test(text),
      }),
  },
  {
    guarantee: '`begins` looks at every word',
    breakage: 'it looks at the first',
    noticedBy: 'words: products.found_by: `begins` finds what any word begins with, and nothing across words',
    open: () => alterTermRules({ begins: (text, start) => text.startsWith(start) }),
  },
  {
    guarantee: 'What is asked for is no pattern',
    breakage: '% and * stand for anything',
    noticedBy: 'words: products.found_by: what is no word finds nothing',
    open: () =>
      alterTermRules({
        begins: (text, start) => splitTerms(text).some((word) => word.startsWith(start.replace(/[%*]$/, ''))),
      }),
  },
  {
    guarantee: 'Letters of words are compared as they are',
    breakage: 'they are compared without accents',
    noticedBy:
      'words: products.found_by: letters are compared as they are: accents, case and other forms count',
    open: () =>
      alterTermRules({ holds: (text, word) => splitTerms(foldAccents(text)).includes(foldAccents(word)) }),
  },
  {
    guarantee: 'Every condition of words holds',
    breakage: 'one word that is held is enough',
    noticedBy: 'words: products.found_by: every condition must hold, be they of words or of others',
    open: () =>
      alterStorage((store) =>
        searchMethods(store, async (where) => {
          const [words, others] = [
            where.filter((each) => 'holds' in each),
            where.filter((each) => !('holds' in each)),
          ]
          const found = await store.find(others)
          return found.filter(
            (row) => words.length === 0 || words.some((each) => matchesCondition(row, each)),
          )
        }),
      ),
  },
  {
    guarantee: 'Long words count to the last character',
    breakage: 'words are cut at a hundred',
    noticedBy: 'words: products.found_by: words of two hundred characters count to the last',
    open: () =>
      alterTermRules({
        holds: (text, word) => splitTerms(text).some((each) => each.slice(0, 100) === word.slice(0, 100)),
      }),
  },
  {
    guarantee: 'A record is found by its present words',
    breakage: 'it is found by all it ever had',
    noticedBy:
      'words: products.found_by: a record is found by the words it has, from the write on and no longer',
    open: () => searchByIndex((before, text) => `${before ?? ''} ${text}`),
  },
  {
    guarantee: 'Words that are taken back find nothing',
    breakage: 'the index is not rolled back',
    noticedBy:
      'words: products.found_by: words whose write was taken back find nothing, and those it took away are back',
    open: () => searchByIndex((_, text) => text),
  },
  {
    guarantee: 'Words keep to their workspace',
    breakage: 'the index knows ids alone',
    noticedBy:
      'words: products.found_by: words find nothing of another workspace, be it a record of the same id',
    open: () =>
      searchByIndex(
        (_, text) => text,
        ({ id }) => id,
      ),
  },
  {
    guarantee: 'Any number of records hold a word',
    breakage: 'a search ends after a thousand',
    noticedBy: 'words: thousands of records hold one word: pages, totals and counts are right in each order',
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          const { rows, total } = await store.list(query)
          return { rows, total: Math.min(total, 1000) }
        },
      })),
  },
  {
    guarantee: 'tally counts a record once',
    breakage: 'it counts each time the word stands there',
    noticedBy: 'tally: products.found_by: counts the records that hold the word itself, each once',
    open: () =>
      alterStorage((store) => ({
        async countByTerm(field, words) {
          const all = (await store.find([])).flatMap((row) => splitTerms(row[field]))
          return new Map(words.map((word) => [word, all.filter((each) => each === word).length]))
        },
      })),
  },
  {
    guarantee: 'tally knows words that nobody holds',
    breakage: 'it leaves them out',
    noticedBy: 'tally: products.found_by: has a word once, however often it is asked for',
    open: () =>
      alterStorage((store) => ({
        countByTerm: async (field, words) =>
          new Map([...(await store.countByTerm(field, words))].filter(([, count]) => count > 0)),
      })),
  },
  {
    guarantee: 'tally counts a word once',
    breakage: 'a word that is asked for twice counts double',
    noticedBy: 'tally: products.found_by: has a word once, however often it is asked for',
    open: () =>
      alterStorage((store) => ({
        async countByTerm(field, words) {
          const counts = await store.countByTerm(field, words)
          return new Map(
            [...counts].map(([word, count]) => [word, count * words.filter((each) => each === word).length]),
          )
        },
      })),
  },
  {
    guarantee: 'tally of nothing is empty',
    breakage: 'it counts every word there is',
    noticedBy: 'tally: products.found_by: is empty for no words',
    open: () =>
      alterStorage((store) => ({
        async countByTerm(field, words) {
          const all = (await store.find([])).flatMap((row) => splitTerms(row[field]))
          return store.countByTerm(field, words.length > 0 ? words : all)
        },
      })),
  },
  {
    guarantee: 'tally takes many words',
    breakage: 'it counts a hundred',
    noticedBy: 'tally: products.found_by: counts three hundred words at once',
    open: () =>
      alterStorage((store) => ({
        countByTerm: (field, words) => store.countByTerm(field, words.slice(0, 100)),
      })),
  },
  {
    guarantee: 'tally counts the living',
    breakage: 'deleted records are counted',
    noticedBy: 'tally: products.found_by: counts neither deleted records nor those of another workspace',
    open: countsTheDead,
  },
]

/** `holds` and `begins` by the rules given. */
function alterTermRules(
  rules: { readonly [R in 'holds' | 'begins']?: (text: string, asked: string) => boolean },
): Storage {
  const meets = (row: Row, condition: Condition<Row>) => {
    const text = String(row[condition.field])
    if ('holds' in condition && rules.holds) return rules.holds(text, condition.holds)
    if ('begins' in condition && rules.begins) return rules.begins(text, condition.begins)
    return matchesCondition(row, condition)
  }
  return alterSearch({ matches: meets })
}

function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '')
}

/** Searches by an index beside the records, in which `next` says what a record is found by from now on. */
function searchByIndex(
  next: (before: string | undefined, text: string) => string,
  keyOf = (row: Row, workspace: string) => `${row.id} ${workspace}`,
): Storage {
  const index = new Map<string, string>()
  return alterStorage((store, { spec: place, workspace }) => {
    const worded = TERMS_FIELDS.find((each) => each.spec.name === place.name)
    if (!worded) return {}
    const { field } = worded
    const note = (row: Row) => {
      const key = keyOf(row, workspace)
      index.set(key, next(index.get(key), String(row[field])))
    }
    const asIndexed = (row: Row) => ({ ...row, [field]: index.get(keyOf(row, workspace)) ?? row[field] })
    const found = async (where: readonly Condition<Row>[]) => {
      return (await store.find([])).filter((row) =>
        where.every((each) => matchesCondition(asIndexed(row), each)),
      )
    }
    return {
      async insert(row) {
        await store.insert(row)
        note(row)
      },
      async update(row) {
        await store.update(row)
        note(row)
      },
      ...searchMethods(store, found),
    }
  })
}

function countsTheDead(): Storage {
  const dead: Row[] = []
  return alterStorage((store) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      if (row) dead.push(row)
      return store.softDelete(id, at)
    },
    async countByTerm(field, words) {
      const counts = await store.countByTerm(field, words)
      const more = (word: string) => dead.filter((row) => splitTerms(row[field]).includes(word)).length
      return new Map([...counts].map(([word, count]) => [word, count + more(word)]))
    },
  }))
}
