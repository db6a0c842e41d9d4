import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import { type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { PRODUCT_TERMS, TERMS_FIELDS, type TermsField } from './search-helpers.ts'

const THREE_HUNDRED_TERMS = Array.from({ length: 300 }, (_, nth) => `w${nth}`)
/** The first text is empty; each next one has ten more terms. */
const GROWING_TEXTS = Array.from({ length: 30 }, (_, nth) => THREE_HUNDRED_TERMS.slice(0, nth * 10).join(' '))

/** The group `search terms` checks that counts follow writes. */
export const termCounts: Group = {
  name: 'countByTerm',
  cases: [
    ...TERMS_FIELDS.flatMap((termsField) => [
      rule(
        termsField,
        'counts each record that holds the whole term once',
        ['ana', 'ana ana', 'anab ana_b', 'b ana', ''],
        {
          terms: ['ana', 'b', 'ana_b', 'an', 'ANA'],
          counts: { ana: 3, ana_b: 1, b: 1, an: 0, ANA: 0 },
        },
      ),
      rule(termsField, 'has one entry per distinct term, zero if no record holds it', ['ana'], {
        terms: ['ana', 'none', 'ana', 'none'],
        counts: { ana: 1, none: 0 },
      }),
      rule(termsField, 'is empty for no terms', ['ana'], { terms: [], counts: {} }),
      countsLiveRecords(termsField),
    ]),
    rule(PRODUCT_TERMS, 'counts three hundred terms at once', GROWING_TEXTS, {
      terms: THREE_HUNDRED_TERMS,
      counts: Object.fromEntries(THREE_HUNDRED_TERMS.map((term, nth) => [term, 29 - Math.floor(nth / 10)])),
    }),
  ],
}

interface ExpectedCounts {
  readonly terms: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

function rule(
  { spec, field }: TermsField,
  name: string,
  texts: readonly string[],
  { terms, counts }: ExpectedCounts,
): Case {
  return {
    name: `${spec.name}.${field}: ${name}`,
    async run(context) {
      const first = await insertRow(context, spec, { [field]: '' })
      const rows = texts.map((text) => cloneRow(spec, first, { [field]: text }))
      await write(context, spec, (store) => store.insertMany(rows))
      expect(await read(context, spec, (store) => store.countByTerm(field, terms))).toEqual(mapOf(counts))
    },
  }
}

function countsLiveRecords({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: excludes deleted records and those of another workspace`,
    async run(context) {
      const otherContext = { ...context, workspace: context.otherWorkspace }
      const row = await insertRow(context, spec, { [field]: 'ana' })
      await insertRow(otherContext, spec, { [field]: 'ana bia' })
      const [softDeleted, hardDeleted] = [cloneRow(spec, row), cloneRow(spec, row)]
      const count = (store: RowStore) => store.countByTerm(field, ['ana', 'bia'])
      await write(context, spec, async (store) => {
        await store.insertMany([softDeleted, hardDeleted])
        expect(await count(store)).toEqual(mapOf({ ana: 3, bia: 0 }))
        await store.softDelete(softDeleted.id, instant(9))
        await store.hardDelete(hardDeleted.id)
        expect(await count(store)).toEqual(mapOf({ ana: 1, bia: 0 }))
      })
      expect(await read(context, spec, count)).toEqual(mapOf({ ana: 1, bia: 0 }))
      expect(await read(otherContext, spec, count)).toEqual(mapOf({ ana: 1, bia: 1 }))
    },
  }
}

function mapOf(counts: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(counts))
}
