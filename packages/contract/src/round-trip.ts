import type { ColumnKind } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import { EVERY, type Place, placeOf, type RowStore, read, stored, write } from './places.ts'
import { another, distinct, emptied, fieldsOf, isDistinct, planted } from './samples.ts'

const VALUES: { readonly [K in ColumnKind]: readonly unknown[] } = {
  uuid: [newId(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  text: [
    '',
    ' two  spaces ',
    'O\'Hara \\ "x" %_?$1:a',
    'São Paulo',
    'e\u0301 is not é',
    '\u2028\u2029\t\r\n',
    '👩🏽‍💻 𐀀',
    'null',
    '007',
    'x'.repeat(20_000),
  ],
  integer: [0, 1, -1, 2 ** 31, 2 ** 53 - 1, 1e15, -1e15],
  boolean: [true, false],
  instant: ['1970-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z', '2026-03-01T12:00:00.001Z', '9999-12-31T23:59:59.999Z'],
  json: [
    {},
    [],
    { z: 1, a: { y: [null, true, { x: [] }], b: {} }, 'é "\\': '\u2028👩🏽‍💻' },
    [1.5, 1e21, -0.25, '1'],
    'text',
    '',
    '{"a":1}',
    'null',
    5,
    0,
    true,
    false,
  ],
  words: [
    '',
    'joao',
    'zoe ana ana 007',
    '_mark_1 __ a_b ñu',
    '電話 straße ﬁ ٣ 𐐨',
    'null',
    `${'x'.repeat(200)} ${'𐐨'.repeat(200)}`,
    Array.from({ length: 500 }, (_, nth) => `word_${nth}`).join(' '),
  ],
}

export const roundTrip: Group = {
  name: 'round trip',
  cases: [
    ...EVERY.flatMap((place) => [whole(place), empty(place), ...kindsOf(place).map((kind) => everyValue(place, kind))]),
    {
      name: 'a record keeps its values when the one it was made from is changed, and one that was read is not changed by an update',
      async run(context) {
        const people = placeOf('people')
        const emails = [{ email: 'ada@x.example' }]
        const row = await planted(context, people, { emails })
        emails[0]!.email = 'changed'
        const before = await stored(context, people, row.id)
        await write(context, people, (store) => store.update({ ...row, emails: [] }))
        expect(before).toEqual({ ...row, emails: [{ email: 'ada@x.example' }] })
      },
    },
  ],
}

/** Field by field, and no field more. */
function whole(place: Place): Case {
  return {
    name: `${place.name}: a record comes back as it went in, whichever way it is read`,
    async run(context) {
      const row = await planted(context, place)
      const mine = [{ field: 'id', is: row.id }] as const
      const ways: Record<string, (store: RowStore) => Promise<unknown>> = {
        get: (store) => store.get(row.id),
        getForUpdate: (store) => store.getForUpdate(row.id),
        getToChange: (store) => store.getToChange(row.id),
        getForShare: (store) => store.getForShare(row.id),
        getMany: async (store) => (await store.getMany([row.id]))[0],
        find: async (store) => (await store.find(mine))[0],
        list: async (store) => (await store.list({ page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: mine })).rows[0],
      }
      for (const [way, use] of Object.entries(ways)) expect(await write(context, place, use), way).toEqual(row)
      expect(await stored(context, place, row.id), 'get within read').toEqual(row)
    },
  }
}

function empty(place: Place): Case {
  return {
    name: `${place.name}: null comes back as null, in every field that may be null`,
    async run(context) {
      const row = emptied(place, another(place, await planted(context, place)))
      await write(context, place, (store) => store.insert(row))
      expect(await stored(context, place, row.id)).toEqual(row)
    },
  }
}

function everyValue(place: Place, kind: ColumnKind): Case {
  return {
    name: `${place.name}: ${kind} comes back to the letter`,
    async run(context) {
      const first = await planted(context, place)
      const fields = freeFields(place, kind)
      const rows = VALUES[kind].map((value) => {
        const changes = fields.map((field) => [field, isDistinct(place, field) ? distinct(String(value)) : value])
        return another(place, first, Object.fromEntries(changes))
      })
      await write(context, place, (store) => store.insertMany(rows))
      const back = await read(context, place, (store) => store.getMany(rows.map(({ id }) => id)))
      const byId = new Map(back.map((row) => [row.id, row]))
      for (const row of rows) {
        // Compared as text, since the order of the keys of an object counts.
        for (const field of fields) expect(JSON.stringify(byId.get(row.id)?.[field]), field).toBe(JSON.stringify(row[field]))
      }
    },
  }
}

function kindsOf(place: Place): ColumnKind[] {
  const kinds = Object.keys(VALUES) as ColumnKind[]
  return kinds.filter((kind) => freeFields(place, kind).length > 0)
}

function freeFields(place: Place, kind: ColumnKind): string[] {
  return fieldsOf(place, kind).filter((field) => !(field in place.refersTo))
}
