import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import { foundIn, idsOf, PRODUCTS, type Where, WORDED, type Worded } from './finding.ts'
import { read, write } from './places.ts'
import { another, instant, planted } from './samples.ts'
import { wordsFollow } from './words-follow.ts'

type Ask = { readonly holds: string } | { readonly begins: string }

/** A collection with one record for each of some texts. */
interface Shelf {
  /** The texts whose records are found, in their own order. */
  texts(...asks: readonly Ask[]): Promise<string[]>
}

const NEIGHBOURS = ['an', 'ana', 'ana_b', 'anaxb', 'ana1', '_ana', 'xana', 'b ana c', 'a na', 'ana ana', 'b', '']

/** Letters that a careless comparison takes for each other, each in a word of its own. */
const LETTERS = ['ñu', 'nu', 'ß', 'ss', 'ſſ', 'i', 'ı', 'σ', 'ς', 'ﬁ', 'fi', 'æ', 'ae', 'ø', 'o', '電話', '電', '電気', '٣', '3', '𐐨', '𐐩']

const NO_WORDS = [
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

export const words: Group = {
  name: 'words',
  cases: [
    ...WORDED.flatMap((worded) => [
      rule(worded, '`holds` finds exactly the word, wherever it stands', NEIGHBOURS, async ({ texts }) => {
        expect(await texts({ holds: 'ana' })).toEqual(['ana', 'ana ana', 'b ana c'])
        expect(await texts({ holds: '_ana' })).toEqual(['_ana'])
        expect(await texts({ holds: 'ana_b' })).toEqual(['ana_b'])
        expect(await texts({ holds: 'b' })).toEqual(['b', 'b ana c'])
        for (const none of ['ana_', 'na_b', 'anab', 'bana', 'n', '_']) expect(await texts({ holds: none }), none).toEqual([])
      }),
      rule(worded, '`begins` finds what any word begins with, and nothing across words', NEIGHBOURS, async ({ texts }) => {
        expect(await texts({ begins: 'ana' })).toEqual(['ana', 'ana ana', 'ana1', 'ana_b', 'anaxb', 'b ana c'])
        expect(await texts({ begins: 'ana_' })).toEqual(['ana_b'])
        expect(await texts({ begins: '_' })).toEqual(['_ana'])
        expect(await texts({ begins: 'na' })).toEqual(['a na'])
        expect(await texts({ begins: 'c' })).toEqual(['b ana c'])
        for (const none of ['bana', 'ana_bc', 'xb', 'na_', '1']) expect(await texts({ begins: none }), none).toEqual([])
      }),
      several(worded),
    ]),
    rule(PRODUCTS, 'what is no word finds nothing', NEIGHBOURS, async ({ texts }) => {
      for (const text of NO_WORDS) {
        expect(await texts({ holds: text }), text).toEqual([])
        expect(await texts({ begins: text }), text).toEqual([])
      }
    }),
    rule(PRODUCTS, 'letters are compared as they are: accents, case and other forms count', LETTERS, async ({ texts }) => {
      for (const text of LETTERS) expect(await texts({ holds: text }), text).toEqual([text])
      for (const text of LETTERS) {
        const alike = LETTERS.filter((other) => other.startsWith(text)).sort()
        expect(await texts({ begins: text }), text).toEqual(alike)
      }
      for (const text of ['ÑU', 'Æ', 'Ø', 'Σ', 'n']) expect(await texts({ holds: text }), text).toEqual([])
    }),
    longest(PRODUCTS),
    ...wordsFollow,
  ],
}

function rule(worded: Worded, says: string, texts: readonly string[], holds: (shelf: Shelf) => Promise<void>): Case {
  return {
    name: `${worded.place.name}.${worded.field}: ${says}`,
    run: async (context) => holds(await shelf(context, worded, texts)),
  }
}

async function shelf(context: Context, { place, field }: Worded, texts: readonly string[]): Promise<Shelf> {
  const first = await planted(context, place, { [field]: '' })
  const rows = texts.map((text) => another(place, first, { [field]: text }))
  await write(context, place, (store) => store.insertMany(rows))
  return {
    async texts(...asks) {
      const where = asks.map((ask) => ({ field, ...ask }))
      const found = await read(context, place, (store) => foundIn(store, where))
      return found.map((row) => String(row[field])).sort()
    },
  }
}

function several({ place, field }: Worded): Case {
  return {
    name: `${place.name}.${field}: every condition must hold, be they of words or of others`,
    async run(context) {
      const row = await planted(context, place, { [field]: 'ana silva souza _mark_1' })
      const late = another(place, row, { [field]: 'ana silva', created_at: instant(50) })
      const other = another(place, row, { [field]: 'silvana sousa _mark_1' })
      await write(context, place, (store) => store.insertMany([late, other]))
      const found = (...where: Where) => idsOf(context, place, where)
      const words = (...given: readonly string[]) => given.map((holds) => ({ field, holds }))
      expect(await found(...words('ana', 'silva'))).toEqual([row.id, late.id].sort())
      expect(await found(...words('ana', 'ana'))).toEqual([row.id, late.id].sort())
      expect(await found(...words('silva', '_mark_1'))).toEqual([row.id])
      expect(await found(...words('ana', 'silva', 'souza', '_mark_1', 'none'))).toEqual([])
      expect(await found(...words('_mark_1'), { field, begins: 'silv' }, { field, begins: 'sou' })).toEqual([row.id, other.id].sort())
      expect(await found(...words('ana'), { field: 'created_at', from: instant(20) })).toEqual([late.id])
      expect(await found({ field: 'id', oneOf: [late.id, other.id] }, { field, begins: 'ana' })).toEqual([late.id])
      expect(await found({ field, is: 'ana silva' }, { field, begins: 's' })).toEqual([late.id])
      expect(await found({ field: 'updated_at', is: null }, ...words('ana'))).toEqual([])
    },
  }
}

function longest(worded: Worded): Case {
  return rule(
    worded,
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
