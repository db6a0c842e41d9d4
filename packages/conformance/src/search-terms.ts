import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import { read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import {
  findConsistently,
  findIds,
  PRODUCT_TERMS,
  TERMS_FIELDS,
  type TermsField,
  type Where,
} from './search-helpers.ts'
import { searchUpdates } from './search-updates.ts'

type TermCondition = { readonly hasTerm: string } | { readonly hasPrefix: string }

/** A collection with one record for each text. */
interface SampleTexts {
  /** Returns the sorted texts of the records that match. */
  findTexts(...conditions: readonly TermCondition[]): Promise<string[]>
}

const SIMILAR_TEXTS = [
  'an',
  'ana',
  'ana_b',
  'anaxb',
  'ana1',
  '_ana',
  'xana',
  'b ana c',
  'a na',
  'ana ana',
  'b',
  '',
]

/** Letters that a folding comparison treats as equal, each in a term of its own. */
const LETTERS = [
  'ñu',
  'nu',
  'ß',
  'ss',
  'ſſ',
  'i',
  'ı',
  'σ',
  'ς',
  'ﬁ',
  'fi',
  'æ',
  'ae',
  'ø',
  'o',
  '電話',
  '電',
  '電気',
  '٣',
  '3',
  '𐐨',
  '𐐩',
]

const NON_TERMS = [
  'ANA',
  'Ana',
  'ana ',
  ' ana',
  'b ana',
  '%',
  'an%',
  'ana*',
  'ana:*',
  '"ana"',
  "ana'",
  'ana\\',
  'ana | b',
  '-ana',
  'ana-b',
  '👩🏽‍💻',
]

export const searchTerms: Group = {
  name: 'search terms',
  cases: [
    ...TERMS_FIELDS.flatMap((termsField) => [
      rule(
        termsField,
        '`hasTerm` matches a whole term at any position',
        SIMILAR_TEXTS,
        async ({ findTexts }) => {
          expect(await findTexts({ hasTerm: 'ana' })).toEqual(['ana', 'ana ana', 'b ana c'])
          expect(await findTexts({ hasTerm: '_ana' })).toEqual(['_ana'])
          expect(await findTexts({ hasTerm: 'ana_b' })).toEqual(['ana_b'])
          expect(await findTexts({ hasTerm: 'b' })).toEqual(['b', 'b ana c'])
          for (const none of ['ana_', 'na_b', 'anab', 'bana', 'n', '_'])
            expect(await findTexts({ hasTerm: none }), none).toEqual([])
        },
      ),
      rule(
        termsField,
        '`hasPrefix` matches the start of any term and never spans terms',
        SIMILAR_TEXTS,
        async ({ findTexts }) => {
          expect(await findTexts({ hasPrefix: 'ana' })).toEqual([
            'ana',
            'ana ana',
            'ana1',
            'ana_b',
            'anaxb',
            'b ana c',
          ])
          expect(await findTexts({ hasPrefix: 'ana_' })).toEqual(['ana_b'])
          expect(await findTexts({ hasPrefix: '_' })).toEqual(['_ana'])
          expect(await findTexts({ hasPrefix: 'na' })).toEqual(['a na'])
          expect(await findTexts({ hasPrefix: 'c' })).toEqual(['b ana c'])
          for (const none of ['bana', 'ana_bc', 'xb', 'na_', '1'])
            expect(await findTexts({ hasPrefix: none }), none).toEqual([])
        },
      ),
      matchesAllConditions(termsField),
    ]),
    rule(PRODUCT_TERMS, 'text that is not a term matches nothing', SIMILAR_TEXTS, async ({ findTexts }) => {
      for (const text of NON_TERMS) {
        expect(await findTexts({ hasTerm: text }), text).toEqual([])
        expect(await findTexts({ hasPrefix: text }), text).toEqual([])
      }
    }),
    rule(
      PRODUCT_TERMS,
      'accents, case and compatibility forms of letters are significant',
      LETTERS,
      async ({ findTexts }) => {
        for (const text of LETTERS) expect(await findTexts({ hasTerm: text }), text).toEqual([text])
        for (const text of LETTERS) {
          const matching = LETTERS.filter((other) => other.startsWith(text)).sort()
          expect(await findTexts({ hasPrefix: text }), text).toEqual(matching)
        }
        for (const text of ['ÑU', 'Æ', 'Ø', 'Σ', 'n'])
          expect(await findTexts({ hasTerm: text }), text).toEqual([])
      },
    ),
    matchesLongTerms(PRODUCT_TERMS),
    ...searchUpdates,
  ],
}

function rule(
  termsField: TermsField,
  name: string,
  texts: readonly string[],
  check: (sample: SampleTexts) => Promise<void>,
): Case {
  return {
    name: `${termsField.spec.name}.${termsField.field}: ${name}`,
    run: async (context) => check(await insertTexts(context, termsField, texts)),
  }
}

async function insertTexts(
  context: Context,
  { spec, field }: TermsField,
  texts: readonly string[],
): Promise<SampleTexts> {
  const first = await insertRow(context, spec, { [field]: '' })
  const rows = texts.map((text) => cloneRow(spec, first, { [field]: text }))
  await write(context, spec, (store) => store.insertMany(rows))
  return {
    async findTexts(...conditions) {
      const where = conditions.map((condition) => ({ field, ...condition }))
      const matches = await read(context, spec, (store) => findConsistently(store, where))
      return matches.map((row) => String(row[field])).sort()
    },
  }
}

function matchesAllConditions({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: a record must satisfy every condition, on terms or on other fields`,
    async run(context) {
      const row = await insertRow(context, spec, { [field]: 'ana silva souza _mark_1' })
      const late = cloneRow(spec, row, { [field]: 'ana silva', created_at: instant(50) })
      const other = cloneRow(spec, row, { [field]: 'silvana sousa _mark_1' })
      await write(context, spec, (store) => store.insertMany([late, other]))
      const find = (...where: Where) => findIds(context, spec, where)
      const holdsAll = (...terms: readonly string[]) => terms.map((hasTerm) => ({ field, hasTerm }))
      expect(await find(...holdsAll('ana', 'silva'))).toEqual([row.id, late.id].sort())
      expect(await find(...holdsAll('ana', 'ana'))).toEqual([row.id, late.id].sort())
      expect(await find(...holdsAll('silva', '_mark_1'))).toEqual([row.id])
      expect(await find(...holdsAll('ana', 'silva', 'souza', '_mark_1', 'none'))).toEqual([])
      expect(
        await find(...holdsAll('_mark_1'), { field, hasPrefix: 'silv' }, { field, hasPrefix: 'sou' }),
      ).toEqual([row.id, other.id].sort())
      expect(await find(...holdsAll('ana'), { field: 'created_at', from: instant(20) })).toEqual([late.id])
      expect(await find({ field: 'id', oneOf: [late.id, other.id] }, { field, hasPrefix: 'ana' })).toEqual([
        late.id,
      ])
      expect(await find({ field, is: 'ana silva' }, { field, hasPrefix: 's' })).toEqual([late.id])
      expect(await find({ field: 'updated_at', is: null }, ...holdsAll('ana'))).toEqual([])
    },
  }
}

function matchesLongTerms(termsField: TermsField): Case {
  return rule(
    termsField,
    'terms of two hundred characters are compared in full',
    ['x', '𐐨'].flatMap((letter) => [letter.repeat(200), `${letter.repeat(199)}y`, letter.repeat(199)]),
    async ({ findTexts }) => {
      for (const letter of ['x', '𐐨']) {
        const [long, similar, short] = [letter.repeat(200), `${letter.repeat(199)}y`, letter.repeat(199)]
        for (const text of [long, similar, short]) expect(await findTexts({ hasTerm: text })).toEqual([text])
        expect(await findTexts({ hasPrefix: long })).toEqual([long])
        expect(await findTexts({ hasPrefix: short })).toEqual([short, long, similar].sort())
      }
    },
  )
}
