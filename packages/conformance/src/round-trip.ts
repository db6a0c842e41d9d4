import type { ColumnKind } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
  type RowStore,
  read,
  write,
} from './collections.ts'
import { cloneRow, fieldsOfKind, insertRow, isUniqueField, uniqueText, withNulls } from './sample-rows.ts'

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
  instant: [
    '1970-01-01T00:00:00.000Z',
    '2024-02-29T23:59:59.999Z',
    '2026-03-01T12:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
  ],
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
  terms: [
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
    ...ALL_COLLECTIONS.flatMap((spec) => [
      returnsEveryField(spec),
      returnsNulls(spec),
      ...kindsOf(spec).map((kind) => returnsEveryValue(spec, kind)),
    ]),
    {
      name: 'stored and returned records are copies',
      async run(context) {
        const people = getCollection('people')
        const emails = [{ email: 'ada@x.example' }]
        const row = await insertRow(context, people, { emails })
        emails[0]!.email = 'changed'
        const before = await getStored(context, people, row.id)
        await write(context, people, (store) => store.update({ ...row, emails: [] }))
        expect(before).toEqual({ ...row, emails: [{ email: 'ada@x.example' }] })
      },
    },
  ],
}

function returnsEveryField(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: every read method returns the record unchanged`,
    async run(context) {
      const row = await insertRow(context, spec)
      const where = [{ field: 'id', is: row.id }] as const
      const readMethods: Record<string, (store: RowStore) => Promise<unknown>> = {
        get: (store) => store.get(row.id),
        getForUpdate: (store) => store.getForUpdate(row.id),
        'getForUpdate with an optimistic lock': (store) => store.getForUpdate(row.id, { lock: 'optimistic' }),
        getForShare: (store) => store.getForShare(row.id),
        getMany: async (store) => (await store.getMany([row.id]))[0],
        find: async (store) => (await store.find(where))[0],
        list: async (store) =>
          (await store.list({ page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where })).rows[0],
      }
      for (const [method, call] of Object.entries(readMethods))
        expect(await write(context, spec, call), method).toEqual(row)
      expect(await getStored(context, spec, row.id), 'get within read').toEqual(row)
    },
  }
}

function returnsNulls(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: every nullable field returns null`,
    async run(context) {
      const row = withNulls(spec, cloneRow(spec, await insertRow(context, spec)))
      await write(context, spec, (store) => store.insert(row))
      expect(await getStored(context, spec, row.id)).toEqual(row)
    },
  }
}

function returnsEveryValue(spec: CollectionSpec, kind: ColumnKind): Case {
  return {
    name: `${spec.name}: ${kind} values are returned unchanged`,
    async run(context) {
      const first = await insertRow(context, spec)
      const fields = fieldsWithoutReference(spec, kind)
      const rows = VALUES[kind].map((value) => {
        const changes = fields.map((field) => [
          field,
          isUniqueField(spec, field) ? uniqueText(String(value)) : value,
        ])
        return cloneRow(spec, first, Object.fromEntries(changes))
      })
      await write(context, spec, (store) => store.insertMany(rows))
      const stored = await read(context, spec, (store) => store.getMany(rows.map(({ id }) => id)))
      const byId = new Map(stored.map((row) => [row.id, row]))
      for (const row of rows) {
        // Compared as text because the order of object keys is significant.
        for (const field of fields)
          expect(JSON.stringify(byId.get(row.id)?.[field]), field).toBe(JSON.stringify(row[field]))
      }
    },
  }
}

function kindsOf(spec: CollectionSpec): ColumnKind[] {
  const kinds = Object.keys(VALUES) as ColumnKind[]
  return kinds.filter((kind) => fieldsWithoutReference(spec, kind).length > 0)
}

function fieldsWithoutReference(spec: CollectionSpec, kind: ColumnKind): string[] {
  return fieldsOfKind(spec, kind).filter((field) => !(field in spec.foreignKeys))
}
