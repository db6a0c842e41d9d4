import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
import { OWN, type Place, placeOf, type Row, type RowStore, stored, write } from './places.ts'
import { another, instant, planted } from './samples.ts'

export const references: Group = {
  name: 'references',
  cases: OWN.flatMap((place) => Object.entries(place.refersTo).flatMap(([field, target]) => ofField(place, field, placeOf(target)))),
}

function ofField(place: Place, field: string, target: Place): Case[] {
  const refusesEveryWrite = async (context: Context, id: string) => {
    const row = await planted(context, place)
    const stray = another(place, row, { [field]: id })
    const tries: Readonly<Record<string, (store: RowStore) => Promise<void>>> = {
      insert: (store) => store.insert(stray),
      insertMany: (store) => store.insertMany([another(place, row), stray]),
      update: (store) => store.update({ ...row, [field]: id }),
    }
    for (const [verb, use] of Object.entries(tries)) await expect(write(context, place, use), verb).rejects.toThrow()
    expect(await stored(context, place, stray.id)).toBeUndefined()
    expect(await stored(context, place, row.id)).toEqual(row)
  }
  return [
    {
      name: `${place.name}.${field}: a record of another workspace is refused by insert, insertMany and update`,
      async run(context) {
        const theirs = await planted({ storage: context.storage, workspace: context.elsewhere }, target)
        await refusesEveryWrite(context, theirs.id)
      },
    },
    {
      name: `${place.name}.${field}: a record that is nowhere is refused by insert, insertMany and update`,
      run: (context) => refusesEveryWrite(context, newId()),
    },
    {
      name: `${place.name}.${field}: a deleted record may be referred to, and deleting it changes no record`,
      async run(context) {
        const row = await planted(context, place)
        const gone = await planted(context, target)
        await write(context, target, (store) => store.softDelete(gone.id, instant(9)))
        await write(context, target, (store) => store.softDelete(row[field] as string, instant(9)))
        expect(await stored(context, place, row.id)).toEqual(row)
        const late: Row = another(place, row, { [field]: gone.id })
        await write(context, place, (store) => store.insert(late))
        expect(await stored(context, place, late.id)).toEqual(late)
      },
    },
  ]
}
