import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import { type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { PRODUCT_TERMS, TERMS_FIELDS, type TermsField } from './search-helpers.ts'

const UP_TO_300 = Array.from({ length: 300 }, (_, nth) => `w${nth}`)
/** Each text has ten words more than the one before it, the first none. */
const STAIRS = Array.from({ length: 30 }, (_, nth) => UP_TO_300.slice(0, nth * 10).join(' '))

/** That counts follow their records is judged in `words`, where every search is held to its tally. */
export const termCounts: Group = {
  name: 'tally',
  cases: [
    ...TERMS_FIELDS.flatMap((worded) => [
      rule(
        worded,
        'counts the records that hold the word itself, each once',
        ['ana', 'ana ana', 'anab ana_b', 'b ana', ''],
        {
          words: ['ana', 'b', 'ana_b', 'an', 'ANA'],
          counts: { ana: 3, ana_b: 1, b: 1, an: 0, ANA: 0 },
        },
      ),
      rule(worded, 'has a word once, however often it is asked for', ['ana'], {
        words: ['ana', 'none', 'ana', 'none'],
        counts: { ana: 1, none: 0 },
      }),
      rule(worded, 'is empty for no words', ['ana'], { words: [], counts: {} }),
      countsLiveRecords(worded),
    ]),
    rule(PRODUCT_TERMS, 'counts three hundred words at once', STAIRS, {
      words: UP_TO_300,
      counts: Object.fromEntries(UP_TO_300.map((word, nth) => [word, 29 - Math.floor(nth / 10)])),
    }),
  ],
}

interface ExpectedCounts {
  readonly words: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

function rule(
  { spec, field }: TermsField,
  name: string,
  texts: readonly string[],
  { words, counts }: ExpectedCounts,
): Case {
  return {
    name: `${spec.name}.${field}: ${name}`,
    async run(context) {
      const first = await insertRow(context, spec, { [field]: '' })
      const rows = texts.map((text) => cloneRow(spec, first, { [field]: text }))
      await write(context, spec, (store) => store.insertMany(rows))
      expect(await read(context, spec, (store) => store.countByTerm(field, words))).toEqual(mapOf(counts))
    },
  }
}

function countsLiveRecords({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: counts neither deleted records nor those of another workspace`,
    async run(context) {
      const otherContext = { ...context, workspace: context.otherWorkspace }
      const row = await insertRow(context, spec, { [field]: 'ana' })
      await insertRow(otherContext, spec, { [field]: 'ana bia' })
      const [gone, erased] = [cloneRow(spec, row), cloneRow(spec, row)]
      const tally = (store: RowStore) => store.countByTerm(field, ['ana', 'bia'])
      await write(context, spec, async (store) => {
        await store.insertMany([gone, erased])
        expect(await tally(store)).toEqual(mapOf({ ana: 3, bia: 0 }))
        await store.softDelete(gone.id, instant(9))
        await store.hardDelete(erased.id)
        expect(await tally(store)).toEqual(mapOf({ ana: 1, bia: 0 }))
      })
      expect(await read(context, spec, tally)).toEqual(mapOf({ ana: 1, bia: 0 }))
      expect(await read(otherContext, spec, tally)).toEqual(mapOf({ ana: 1, bia: 1 }))
    },
  }
}

function mapOf(counts: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(counts))
}
