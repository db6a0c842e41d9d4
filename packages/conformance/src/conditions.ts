import { type Condition, foldText } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import { ALL_COLLECTIONS, type CollectionSpec, getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, fieldsOfKind, insertRow, instant, withNulls } from './sample-rows.ts'
import { findIds, type Where } from './search-helpers.ts'

/** Three records that differ in every field. In the last, every nullable field is null. */
interface SampleRecords {
  readonly first: Row
  readonly second: Row
  readonly nulls: Row
  /** Returns the ids of the records that match, among these three alone. */
  match(where: Where): Promise<string[]>
}

/** Case, accents, ligatures, compatibility forms, and marks of several scripts. */
const FOLDED_TEXTS = [
  ...[
    'São',
    'SAO',
    'PAULO',
    'sa\u0303o Paulo',
    'Łódź',
    'lodz',
    'Straße',
    'STRASSE',
    'STRAẞE',
    'ﬁn',
    'fin',
    'ＡＢＣ',
    'abc',
  ],
  ...[
    'Ærø',
    'aero',
    'Þór',
    'thor',
    'ΌΣΟΣ',
    'όσος',
    'οσοσ',
    'İstanbul',
    'istanbul',
    'ısı',
    'Йод',
    'иод',
    'हिन्दी',
  ],
  ...['שָׁלוֹם', 'שלום', '½', '1⁄2', '%', '_', '\\', "O'Neil", '日本', '🙂 ok', 'a\nb', '\u00a0x', ' x'],
]

export const conditions: Group = {
  name: 'conditions',
  cases: [
    ...ALL_COLLECTIONS.flatMap((spec) => [
      rule(spec, '`is` matches equal values and never null', async ({ first, second, nulls, match }) => {
        for (const field of [...scalarsOf(spec), 'created_at', 'updated_at']) {
          expect(await match([{ field, is: first[field] as string }]), field).toEqual([first.id])
        }
        for (const field of fieldsOfKind(spec, 'boolean')) {
          expect(await match([{ field, is: true }]), field).toEqual([second.id])
          expect(await match([{ field, is: false }]), field).toEqual([first.id, nulls.id].sort())
        }
      }),
      rule(spec, '`is: null` matches only null', async ({ nulls, match }) => {
        for (const field of [...Object.keys(spec.columns), 'updated_at']) {
          expect(await match([{ field, is: null }]), field).toEqual(
            spec.nullable.includes(field) ? [nulls.id] : [],
          )
        }
      }),
      rule(
        spec,
        '`oneOf` matches each listed value, nothing for an empty list, and never null',
        async ({ first, second, match }) => {
          for (const field of textsOf(spec)) {
            const [one, two] = [first[field] as string, second[field] as string]
            expect(await match([{ field, oneOf: [one, newId(), one] }]), field).toEqual([first.id])
            expect(await match([{ field, oneOf: [one, two] }]), field).toEqual([first.id, second.id].sort())
            expect(await match([{ field, oneOf: [] }]), field).toEqual([])
          }
        },
      ),
      rule(
        spec,
        '`from` and `to` are inclusive to the millisecond and never match null',
        async ({ first, second, nulls, match }) => {
          for (const field of [...fieldsOfKind(spec, 'instant'), 'updated_at']) {
            const [one, two] = [first[field] as string, second[field] as string]
            const both = [first.id, second.id].sort()
            const later = spec.nullable.includes(field) ? [] : [nulls.id]
            expect(await match([{ field, from: one }]), field).toEqual([...both, ...later].sort())
            expect(await match([{ field, from: shiftInstant(one, 1) }]), field).toEqual(
              [second.id, ...later].sort(),
            )
            expect(await match([{ field, to: two }]), field).toEqual(both)
            expect(await match([{ field, to: shiftInstant(two, -1) }]), field).toEqual([first.id])
            expect(
              await match([
                { field, from: one },
                { field, to: one },
              ]),
              field,
            ).toEqual([first.id])
          }
        },
      ),
      rule(spec, 'a record must satisfy every condition', async ({ first, second, match }) => {
        const same: Where = Object.keys(spec.columns)
          .filter((field) => spec.columns[field] !== 'json')
          .map((field) => ({ field, is: first[field] as string }))
        expect(await match([...same, { field: 'created_at', from: first.created_at }])).toEqual([first.id])
        expect(await match([...same, { field: 'updated_at', is: second.updated_at }])).toEqual([])
      }),
      rule(
        spec,
        '`not` matches what its condition does not match, null included',
        async ({ first, second, nulls, match }) => {
          for (const field of [...scalarsOf(spec), 'updated_at']) {
            const condition = { field, is: first[field] as string }
            expect(await match([{ not: condition }]), field).toEqual([second.id, nulls.id].sort())
          }
          for (const field of spec.nullable)
            expect(await match([{ not: { field, is: null } }]), field).toEqual([first.id, second.id].sort())
        },
      ),
    ]),
    {
      name: 'text is compared exactly: case, accents, white space, % and _ are significant',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const first = await insertRow(context, pipelines, { name: 'a_%' })
        const others = ['A_%', 'a_% ', 'abc', 'á_%'].map((name) => cloneRow(pipelines, first, { name }))
        await write(context, pipelines, (store) => store.insertMany(others))
        expect(await findIds(context, pipelines, [{ field: 'name', is: 'a_%' }])).toEqual([first.id])
        expect(await findIds(context, pipelines, [{ field: 'name', oneOf: ['a_%'] }])).toEqual([first.id])
      },
    },
    {
      name: '`equalsText`, `contains` and `beginsWith` compare texts as foldText returns them, in any script',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const first = await insertRow(context, pipelines)
        const rows = FOLDED_TEXTS.map((name) => cloneRow(pipelines, first, { name }))
        await write(context, pipelines, (store) => store.insertMany(rows))
        for (const text of FOLDED_TEXTS) {
          const folded = foldText(text)
          const expected = (matches: (name: string) => boolean) =>
            rows.flatMap(({ id, name }) => (matches(foldText(String(name))) ? [id] : [])).sort()
          expect([text, await findIds(context, pipelines, [{ field: 'name', equalsText: text }])]).toEqual([
            text,
            expected((name) => name === folded),
          ])
          expect([text, await findIds(context, pipelines, [{ field: 'name', contains: text }])]).toEqual([
            text,
            expected((name) => name.includes(folded)),
          ])
          expect([text, await findIds(context, pipelines, [{ field: 'name', beginsWith: text }])]).toEqual([
            text,
            expected((name) => name.startsWith(folded)),
          ])
        }
      },
    },
    {
      name: '`oneOf` and getMany accept a thousand values',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const { id } = await insertRow(context, pipelines)
        const ids = [...Array.from({ length: 999 }, newId), id]
        expect(await findIds(context, pipelines, [{ field: 'id', oneOf: ids }])).toEqual([id])
        expect(await read(context, pipelines, (store) => store.getMany(ids))).toHaveLength(1)
      },
    },
    {
      name: 'getMany returns each record once for repeated ids, and nothing for no ids',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const first = await insertRow(context, pipelines)
        const second = cloneRow(pipelines, first)
        await write(context, pipelines, (store) => store.insert(second))
        const repeatedIds = [second.id, first.id, newId(), second.id, first.id]
        const records = await read(context, pipelines, (store) => store.getMany(repeatedIds))
        expect(records.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
        expect(await read(context, pipelines, (store) => store.getMany([]))).toEqual([])
      },
    },
  ],
}

function rule(spec: CollectionSpec, name: string, check: (records: SampleRecords) => Promise<void>): Case {
  return {
    name: `${spec.name}: ${name}`,
    async run(context) {
      const first = await insertRow(context, spec, {}, 1)
      const second = await insertRow(context, spec, {}, 2)
      const third = await insertRow(context, spec, {}, 3)
      const nulls = withNulls(spec, cloneRow(spec, third))
      await write(context, spec, (store) => store.insert(nulls))
      const amongThree: Condition<Row> = { field: 'id', oneOf: [first.id, second.id, nulls.id] }
      await check({ first, second, nulls, match: (where) => findIds(context, spec, [amongThree, ...where]) })
    },
  }
}

function scalarsOf(spec: CollectionSpec): string[] {
  return Object.keys(spec.columns).filter((field) => !['json', 'boolean'].includes(spec.columns[field]!))
}

function textsOf(spec: CollectionSpec): string[] {
  return [...fieldsOfKind(spec, 'text'), ...fieldsOfKind(spec, 'uuid')]
}

function shiftInstant(at: string, milliseconds: number): string {
  return instant(Date.parse(at) - Date.parse(instant(0)) + milliseconds)
}
