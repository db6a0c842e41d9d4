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

/** A collection with one record for each of some texts. */
interface SampleTexts {
  /** The texts whose records are found, in their own order. */
  texts(...conditions: readonly TermCondition[]): Promise<string[]>
}

const NEIGHBOURS = [
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

/** Letters that a careless comparison takes for each other, each in a word of its own. */
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
  name: 'words',
  cases: [
    ...TERMS_FIELDS.flatMap((termsField) => [
      rule(
        termsField,
        '`holds` finds exactly the word, wherever it stands',
        NEIGHBOURS,
        async ({ texts }) => {
          expect(await texts({ holds: 'ana' })).toEqual(['ana', 'ana ana', 'b ana c'])
          expect(await texts({ holds: '_ana' })).toEqual(['_ana'])
          expect(await texts({ holds: 'ana_b' })).toEqual(['ana_b'])
          expect(await texts({ holds: 'b' })).toEqual(['b', 'b ana c'])
          for (const none of ['ana_', 'na_b', 'anab', 'bana', 'n', '_'])
            expect(await texts({ holds: none }), none).toEqual([])
        },
      ),
      rule(
        termsField,
        '`begins` finds what any word begins with, and nothing across words',
        NEIGHBOURS,
        async ({ texts }) => {
          expect(await texts({ begins: 'ana' })).toEqual([
            'ana',
            'ana ana',
            'ana1',
            'ana_b',
            'anaxb',
            'b ana c',
          ])
          expect(await texts({ begins: 'ana_' })).toEqual(['ana_b'])
          expect(await texts({ begins: '_' })).toEqual(['_ana'])
          expect(await texts({ begins: 'na' })).toEqual(['a na'])
          expect(await texts({ begins: 'c' })).toEqual(['b ana c'])
          for (const none of ['bana', 'ana_bc', 'xb', 'na_', '1'])
            expect(await texts({ begins: none }), none).toEqual([])
        },
      ),
      matchesAllConditions(termsField),
    ]),
    rule(PRODUCT_TERMS, 'what is no word finds nothing', NEIGHBOURS, async ({ texts }) => {
      for (const text of NON_TERMS) {
        expect(await texts({ holds: text }), text).toEqual([])
        expect(await texts({ begins: text }), text).toEqual([])
      }
    }),
    rule(
      PRODUCT_TERMS,
      'letters are compared as they are: accents, case and other forms count',
      LETTERS,
      async ({ texts }) => {
        for (const text of LETTERS) expect(await texts({ holds: text }), text).toEqual([text])
        for (const text of LETTERS) {
          const alike = LETTERS.filter((other) => other.startsWith(text)).sort()
          expect(await texts({ begins: text }), text).toEqual(alike)
        }
        for (const text of ['ÑU', 'Æ', 'Ø', 'Σ', 'n']) expect(await texts({ holds: text }), text).toEqual([])
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
  check: (shelf: SampleTexts) => Promise<void>,
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
    async texts(...conditions) {
      const where = conditions.map((condition) => ({ field, ...condition }))
      const found = await read(context, spec, (store) => findConsistently(store, where))
      return found.map((row) => String(row[field])).sort()
    },
  }
}

function matchesAllConditions({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: every condition must hold, be they of words or of others`,
    async run(context) {
      const row = await insertRow(context, spec, { [field]: 'ana silva souza _mark_1' })
      const late = cloneRow(spec, row, { [field]: 'ana silva', created_at: instant(50) })
      const other = cloneRow(spec, row, { [field]: 'silvana sousa _mark_1' })
      await write(context, spec, (store) => store.insertMany([late, other]))
      const found = (...where: Where) => findIds(context, spec, where)
      const words = (...given: readonly string[]) => given.map((holds) => ({ field, holds }))
      expect(await found(...words('ana', 'silva'))).toEqual([row.id, late.id].sort())
      expect(await found(...words('ana', 'ana'))).toEqual([row.id, late.id].sort())
      expect(await found(...words('silva', '_mark_1'))).toEqual([row.id])
      expect(await found(...words('ana', 'silva', 'souza', '_mark_1', 'none'))).toEqual([])
      expect(await found(...words('_mark_1'), { field, begins: 'silv' }, { field, begins: 'sou' })).toEqual(
        [row.id, other.id].sort(),
      )
      expect(await found(...words('ana'), { field: 'created_at', from: instant(20) })).toEqual([late.id])
      expect(await found({ field: 'id', oneOf: [late.id, other.id] }, { field, begins: 'ana' })).toEqual([
        late.id,
      ])
      expect(await found({ field, is: 'ana silva' }, { field, begins: 's' })).toEqual([late.id])
      expect(await found({ field: 'updated_at', is: null }, ...words('ana'))).toEqual([])
    },
  }
}

function matchesLongTerms(termsField: TermsField): Case {
  return rule(
    termsField,
    'words of two hundred characters count to the last',
    ['x', '𐐨'].flatMap((letter) => [letter.repeat(200), `${letter.repeat(199)}y`, letter.repeat(199)]),
    async ({ texts }) => {
      for (const letter of ['x', '𐐨']) {
        const [long, near, short] = [letter.repeat(200), `${letter.repeat(199)}y`, letter.repeat(199)]
        for (const text of [long, near, short]) expect(await texts({ holds: text })).toEqual([text])
        expect(await texts({ begins: long })).toEqual([long])
        expect(await texts({ begins: short })).toEqual([short, long, near].sort())
      }
    },
  )
}
