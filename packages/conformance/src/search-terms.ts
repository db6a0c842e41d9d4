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

type TermCondition = { readonly holds: string } | { readonly begins: string }

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
        '`holds` matches a whole term at any position',
        SIMILAR_TEXTS,
        async ({ findTexts }) => {
          expect(await findTexts({ holds: 'ana' })).toEqual(['ana', 'ana ana', 'b ana c'])
          expect(await findTexts({ holds: '_ana' })).toEqual(['_ana'])
          expect(await findTexts({ holds: 'ana_b' })).toEqual(['ana_b'])
          expect(await findTexts({ holds: 'b' })).toEqual(['b', 'b ana c'])
          for (const none of ['ana_', 'na_b', 'anab', 'bana', 'n', '_'])
            expect(await findTexts({ holds: none }), none).toEqual([])
        },
      ),
      rule(
        termsField,
        '`begins` matches the start of any term and never spans terms',
        SIMILAR_TEXTS,
        async ({ findTexts }) => {
          expect(await findTexts({ begins: 'ana' })).toEqual([
            'ana',
            'ana ana',
            'ana1',
            'ana_b',
            'anaxb',
            'b ana c',
          ])
          expect(await findTexts({ begins: 'ana_' })).toEqual(['ana_b'])
          expect(await findTexts({ begins: '_' })).toEqual(['_ana'])
          expect(await findTexts({ begins: 'na' })).toEqual(['a na'])
          expect(await findTexts({ begins: 'c' })).toEqual(['b ana c'])
          for (const none of ['bana', 'ana_bc', 'xb', 'na_', '1'])
            expect(await findTexts({ begins: none }), none).toEqual([])
        },
      ),
      matchesAllConditions(termsField),
    ]),
    rule(PRODUCT_TERMS, 'text that is not a term matches nothing', SIMILAR_TEXTS, async ({ findTexts }) => {
      for (const text of NON_TERMS) {
        expect(await findTexts({ holds: text }), text).toEqual([])
        expect(await findTexts({ begins: text }), text).toEqual([])
      }
    }),
    rule(
      PRODUCT_TERMS,
      'accents, case and compatibility forms of letters are significant',
      LETTERS,
      async ({ findTexts }) => {
        for (const text of LETTERS) expect(await findTexts({ holds: text }), text).toEqual([text])
        for (const text of LETTERS) {
          const matching = LETTERS.filter((other) => other.startsWith(text)).sort()
          expect(await findTexts({ begins: text }), text).toEqual(matching)
        }
        for (const text of ['ÑU', 'Æ', 'Ø', 'Σ', 'n'])
          expect(await findTexts({ holds: text }), text).toEqual([])
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
      const holdsAll = (...terms: readonly string[]) => terms.map((holds) => ({ field, holds }))
      expect(await find(...holdsAll('ana', 'silva'))).toEqual([row.id, late.id].sort())
      expect(await find(...holdsAll('ana', 'ana'))).toEqual([row.id, late.id].sort())
      expect(await find(...holdsAll('silva', '_mark_1'))).toEqual([row.id])
      expect(await find(...holdsAll('ana', 'silva', 'souza', '_mark_1', 'none'))).toEqual([])
      expect(await find(...holdsAll('_mark_1'), { field, begins: 'silv' }, { field, begins: 'sou' })).toEqual(
        [row.id, other.id].sort(),
      )
      expect(await find(...holdsAll('ana'), { field: 'created_at', from: instant(20) })).toEqual([late.id])
      expect(await find({ field: 'id', oneOf: [late.id, other.id] }, { field, begins: 'ana' })).toEqual([
        late.id,
      ])
      expect(await find({ field, is: 'ana silva' }, { field, begins: 's' })).toEqual([late.id])
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
        for (const text of [long, similar, short]) expect(await findTexts({ holds: text })).toEqual([text])
        expect(await findTexts({ begins: long })).toEqual([long])
        expect(await findTexts({ begins: short })).toEqual([short, long, similar].sort())
      }
    },
  )
}
