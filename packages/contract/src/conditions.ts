import type { Condition } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import { idsOf, type Where } from './finding.ts'
import { EVERY, type Place, placeOf, type Row, read, write } from './places.ts'
import { another, emptied, fieldsOf, instant, planted } from './samples.ts'

/** What each rule is tried on: three records that differ in every field, the last with null wherever it may be. */
interface Three {
  readonly first: Row
  readonly second: Row
  readonly bare: Row
  /** The ids of the three that match, whatever else the collection holds. */
  match(where: Where): Promise<string[]>
}

export const conditions: Group = {
  name: 'conditions',
  cases: [
    ...EVERY.flatMap((place) => [
      rule(place, '`is` finds the equal values, and never null', async ({ first, second, bare, match }) => {
        for (const field of [...scalarsOf(place), 'created_at', 'updated_at']) {
          expect(await match([{ field, is: first[field] as string }]), field).toEqual([first.id])
        }
        for (const field of fieldsOf(place, 'boolean')) {
          expect(await match([{ field, is: true }]), field).toEqual([second.id])
          expect(await match([{ field, is: false }]), field).toEqual([first.id, bare.id].sort())
        }
      }),
      rule(place, '`is: null` finds the nulls alone', async ({ bare, match }) => {
        for (const field of [...Object.keys(place.columns), 'updated_at']) {
          expect(await match([{ field, is: null }]), field).toEqual(place.nullable.includes(field) ? [bare.id] : [])
        }
      }),
      rule(place, '`oneOf` finds each value it names, nothing for an empty list, and never null', async ({ first, second, match }) => {
        for (const field of textsOf(place)) {
          const [one, two] = [first[field] as string, second[field] as string]
          expect(await match([{ field, oneOf: [one, newId(), one] }]), field).toEqual([first.id])
          expect(await match([{ field, oneOf: [one, two] }]), field).toEqual([first.id, second.id].sort())
          expect(await match([{ field, oneOf: [] }]), field).toEqual([])
        }
      }),
      rule(
        place,
        '`from` and `to` include their bound, to the millisecond, and never find null',
        async ({ first, second, bare, match }) => {
          for (const field of [...fieldsOf(place, 'instant'), 'updated_at']) {
            const [one, two] = [first[field] as string, second[field] as string]
            const both = [first.id, second.id].sort()
            const later = place.nullable.includes(field) ? [] : [bare.id]
            expect(await match([{ field, from: one }]), field).toEqual([...both, ...later].sort())
            expect(await match([{ field, from: moved(one, 1) }]), field).toEqual([second.id, ...later].sort())
            expect(await match([{ field, to: two }]), field).toEqual(both)
            expect(await match([{ field, to: moved(two, -1) }]), field).toEqual([first.id])
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
      rule(place, 'every condition must hold', async ({ first, second, match }) => {
        const same: Where = Object.keys(place.columns)
          .filter((field) => place.columns[field] !== 'json')
          .map((field) => ({ field, is: first[field] as string }))
        expect(await match([...same, { field: 'created_at', from: first.created_at }])).toEqual([first.id])
        expect(await match([...same, { field: 'updated_at', is: second.updated_at }])).toEqual([])
      }),
    ]),
    {
      name: 'text is compared to the letter: case, accents, white space, % and _ count',
      async run(context) {
        const pipelines = placeOf('pipelines')
        const first = await planted(context, pipelines, { name: 'a_%' })
        const others = ['A_%', 'a_% ', 'abc', 'á_%'].map((name) => another(pipelines, first, { name }))
        await write(context, pipelines, (store) => store.insertMany(others))
        expect(await idsOf(context, pipelines, [{ field: 'name', is: 'a_%' }])).toEqual([first.id])
        expect(await idsOf(context, pipelines, [{ field: 'name', oneOf: ['a_%'] }])).toEqual([first.id])
      },
    },
    {
      name: '`oneOf` and getMany take a thousand values',
      async run(context) {
        const pipelines = placeOf('pipelines')
        const { id } = await planted(context, pipelines)
        const ids = [...Array.from({ length: 999 }, newId), id]
        expect(await idsOf(context, pipelines, [{ field: 'id', oneOf: ids }])).toEqual([id])
        expect(await read(context, pipelines, (store) => store.getMany(ids))).toHaveLength(1)
      },
    },
    {
      name: 'getMany gives each record once, however often it is named, and nothing for no ids',
      async run(context) {
        const pipelines = placeOf('pipelines')
        const first = await planted(context, pipelines)
        const second = another(pipelines, first)
        await write(context, pipelines, (store) => store.insert(second))
        const named = [second.id, first.id, newId(), second.id, first.id]
        const found = await read(context, pipelines, (store) => store.getMany(named))
        expect(found.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
        expect(await read(context, pipelines, (store) => store.getMany([]))).toEqual([])
      },
    },
  ],
}

function rule(place: Place, says: string, holds: (three: Three) => Promise<void>): Case {
  return {
    name: `${place.name}: ${says}`,
    async run(context) {
      const first = await planted(context, place, {}, 1)
      const second = await planted(context, place, {}, 2)
      const third = await planted(context, place, {}, 3)
      const bare = emptied(place, another(place, third))
      await write(context, place, (store) => store.insert(bare))
      const mine: Condition<Row> = { field: 'id', oneOf: [first.id, second.id, bare.id] }
      await holds({ first, second, bare, match: (where) => idsOf(context, place, [mine, ...where]) })
    },
  }
}

function scalarsOf(place: Place): string[] {
  return Object.keys(place.columns).filter((field) => !['json', 'boolean'].includes(place.columns[field]!))
}

function textsOf(place: Place): string[] {
  return [...fieldsOf(place, 'text'), ...fieldsOf(place, 'uuid')]
}

function moved(at: string, milliseconds: number): string {
  return instant(Date.parse(at) - Date.parse(instant(0)) + milliseconds)
}
