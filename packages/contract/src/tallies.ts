import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import { PRODUCTS, WORDED, type Worded } from './finding.ts'
import { type RowStore, read, write } from './places.ts'
import { another, instant, planted } from './samples.ts'

const UP_TO_300 = Array.from({ length: 300 }, (_, nth) => `w${nth}`)
/** Each text has ten words more than the one before it, the first none. */
const STAIRS = Array.from({ length: 30 }, (_, nth) => UP_TO_300.slice(0, nth * 10).join(' '))

/** That counts follow their records is judged in `words`, where every search is held to its tally. */
export const tallies: Group = {
  name: 'tally',
  cases: [
    ...WORDED.flatMap((worded) => [
      rule(worded, 'counts the records that hold the word itself, each once', ['ana', 'ana ana', 'anab ana_b', 'b ana', ''], {
        words: ['ana', 'b', 'ana_b', 'an', 'ANA'],
        counts: { ana: 3, ana_b: 1, b: 1, an: 0, ANA: 0 },
      }),
      rule(worded, 'has a word once, however often it is asked for', ['ana'], {
        words: ['ana', 'none', 'ana', 'none'],
        counts: { ana: 1, none: 0 },
      }),
      rule(worded, 'is empty for no words', ['ana'], { words: [], counts: {} }),
      ofTheLiving(worded),
    ]),
    rule(PRODUCTS, 'counts three hundred words at once', STAIRS, {
      words: UP_TO_300,
      counts: Object.fromEntries(UP_TO_300.map((word, nth) => [word, 29 - Math.floor(nth / 10)])),
    }),
  ],
}

interface Tally {
  readonly words: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

function rule({ place, field }: Worded, says: string, texts: readonly string[], { words, counts }: Tally): Case {
  return {
    name: `${place.name}.${field}: ${says}`,
    async run(context) {
      const first = await planted(context, place, { [field]: '' })
      const rows = texts.map((text) => another(place, first, { [field]: text }))
      await write(context, place, (store) => store.insertMany(rows))
      expect(await read(context, place, (store) => store.tally(field, words))).toEqual(mapOf(counts))
    },
  }
}

function ofTheLiving({ place, field }: Worded): Case {
  return {
    name: `${place.name}.${field}: counts neither deleted records nor those of another workspace`,
    async run(context) {
      const beyond = { ...context, workspace: context.elsewhere }
      const row = await planted(context, place, { [field]: 'ana' })
      await planted(beyond, place, { [field]: 'ana bia' })
      const [gone, erased] = [another(place, row), another(place, row)]
      const tally = (store: RowStore) => store.tally(field, ['ana', 'bia'])
      await write(context, place, async (store) => {
        await store.insertMany([gone, erased])
        expect(await tally(store)).toEqual(mapOf({ ana: 3, bia: 0 }))
        await store.softDelete(gone.id, instant(9))
        await store.erase(erased.id)
        expect(await tally(store)).toEqual(mapOf({ ana: 1, bia: 0 }))
      })
      expect(await read(context, place, tally)).toEqual(mapOf({ ana: 1, bia: 0 }))
      expect(await read(beyond, place, tally)).toEqual(mapOf({ ana: 1, bia: 1 }))
    },
  }
}

function mapOf(counts: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(counts))
}
