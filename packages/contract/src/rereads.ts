import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { EVERY, glance, OWN, type Place, placeOf, type Row, type RowStore, read, survey, write } from './places.ts'
import { another, emptied, instant, planted } from './samples.ts'

const [TASKS, PEOPLE, PIPELINES] = [placeOf('tasks'), placeOf('people'), placeOf('pipelines')]

/** A store may remember what a transaction has read, and what seldom changes for longer: nobody must be able to tell. */
export const rereads: Group = {
  name: 'reading again',
  cases: [
    ...EVERY.map((place) => ({
      name: `${place.name}: what was read before a change is read anew after it, in the same transaction`,
      run: (context: Context) => seesItsOwn(context, place),
    })),
    ...EVERY.map((place) => ({
      name: `${place.name}: what one transaction has read, the next reads as it was changed meanwhile`,
      run: (context: Context) => seesOthers(context, place),
    })),
    ...EVERY.map((place) => ({
      name: `${place.name}: what a part that failed had changed is read as it was`,
      run: (context: Context) => seesWhatIsLeft(context, place),
    })),
    {
      name: 'a read that is under way when its record is changed gives nothing old to those after it',
      async run(context) {
        const row = await planted(context, TASKS)
        await write(context, TASKS, async (store) => {
          const changed = { ...row, title: 'changed' }
          await Promise.all([store.get(row.id), store.update(changed)])
          expect(await everyWay(store, row.id)).toEqual([changed, changed, changed])
        })
      },
    },
    ...OWN.filter(({ refersTo }) => Object.keys(refersTo).length > 0).map((place) => ({
      name: `${place.name}: what getWithLinks reads along is as it is, whatever becomes of it`,
      run: (context: Context) => readsAlong(context, place),
    })),
    {
      name: 'who has waited for a record reads what the one before has changed, settings too',
      async run(context) {
        const row = await planted(context, PIPELINES, { name: '0' })
        const task = await planted(context, TASKS, { title: '0' })
        const addOne = () =>
          write(context, TASKS, async (tasks, tx) => {
            const pipelines = PIPELINES.storeIn(tx, context.workspace)
            await Promise.all([pipelines.get(row.id), pipelines.find([])])
            await tasks.getForUpdate(task.id)
            const [found] = await pipelines.find([{ field: 'id', is: row.id }])
            const got = await pipelines.get(row.id)
            expect(got).toEqual(found)
            await pipelines.update({ ...found!, name: String(Number(found!['name']) + 1) })
          })
        await Promise.all(Array.from({ length: 20 }, addOne))
        expect(await read(context, PIPELINES, (store) => store.get(row.id))).toMatchObject({ name: '20' })
      },
    },
    {
      name: 'who changes a record reads what it refers to, too, as the one who changed it before has left that',
      async run(context) {
        const task = await planted(context, TASKS)
        const id = String(task['person_id'])
        const position = (count: number) => ({ position: String(count) })
        await write(context, PEOPLE, async (people) => people.update({ ...(await people.get(id))!, ...position(0) }))
        const addOne = () =>
          write(context, TASKS, async (tasks, tx) => {
            const people = PEOPLE.storeIn(tx, context.workspace)
            await people.get(id)
            const held = (await tasks.getToChange(task.id))!
            await tasks.update({ ...held, title: `${held['title']}+` })
            const person = (await people.get(id))!
            await people.update({ ...person, ...position(Number(person['position']) + 1) })
          })
        await Promise.all(Array.from({ length: 20 }, addOne))
        expect(await read(context, PEOPLE, (store) => store.get(id))).toMatchObject(position(20))
      },
    },
    ...Object.entries({ glance, survey }).map(([name, look]) => ({
      name: `${name} gives what its work gives, sees what is committed, and throws what its work throws`,
      async run(context: Context) {
        const row = await planted(context, TASKS)
        expect(await look(context, TASKS, async (store) => [await store.get(row.id), await store.getWithLinks(row.id)])).toEqual([row, row])
        const error = new Error('mine')
        await expect(look(context, TASKS, () => Promise.reject(error))).rejects.toBe(error)
        const late = await look(context, TASKS, async (store) => store)
        await expect(late.get(row.id)).rejects.toThrow()
        await expect(late.getWithLinks(row.id)).rejects.toThrow()
        const changed = { ...row, title: 'changed' }
        await write(context, TASKS, (store) => store.update(changed))
        expect(await look(context, TASKS, (store) => store.get(row.id))).toEqual(changed)
      },
    })),
  ],
}

async function everyWay(store: RowStore, id: string): Promise<readonly (Row | undefined)[]> {
  const [one] = await store.getMany([id, id])
  return [await store.get(id), await store.getWithLinks(id), one]
}

async function seesItsOwn(context: Context, place: Place): Promise<void> {
  const row = await planted(context, place)
  const changed = { ...emptied(place, row), updated_at: instant(9) }
  await write(context, place, async (store) => {
    expect(await everyWay(store, row.id)).toEqual([row, row, row])
    await store.update(changed)
    expect(await everyWay(store, row.id)).toEqual([changed, changed, changed])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([changed])
    await store.softDelete(row.id, instant(10))
    expect(await everyWay(store, row.id)).toEqual([undefined, undefined, undefined])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([])
    await store.erase(row.id)
    await store.insert(row)
    expect(await everyWay(store, row.id)).toEqual([row, row, row])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([row])
  })
}

async function seesOthers(context: Context, place: Place): Promise<void> {
  const row = await planted(context, place)
  const look = () =>
    read(context, place, async (store) => [...(await everyWay(store, row.id)), ...(await store.find([{ field: 'id', is: row.id }]))])
  expect(await look()).toEqual([row, row, row, row])
  const changed = { ...emptied(place, row), updated_at: instant(9) }
  await write(context, place, (store) => store.update(changed))
  expect(await look()).toEqual([changed, changed, changed, changed])
  const next = another(place, row)
  await write(context, place, (store) => store.insert(next))
  expect(await read(context, place, (store) => store.find([{ field: 'id', is: next.id }]))).toEqual([next])
  await write(context, place, (store) => store.softDelete(row.id, instant(10)))
  expect(await look()).toEqual([undefined, undefined, undefined])
}

async function seesWhatIsLeft(context: Context, place: Place): Promise<void> {
  const row = await planted(context, place)
  const changed = { ...emptied(place, row), updated_at: instant(9) }
  await write(context, place, async (store, tx) => {
    const part = tx.attempt(async () => {
      await store.update(changed)
      expect(await everyWay(store, row.id)).toEqual([changed, changed, changed])
      throw new Error('taken back')
    })
    await expect(part).rejects.toThrow('taken back')
    expect(await everyWay(store, row.id)).toEqual([row, row, row])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([row])
  })
}

async function readsAlong(context: Context, place: Place): Promise<void> {
  const row = await planted(context, place)
  const links = Object.entries(place.refersTo).flatMap(([field, target]) => {
    const id = row[field]
    return typeof id === 'string' ? [{ id, target: placeOf(target) }] : []
  })
  const seenBy = (use: typeof read, look: (store: RowStore) => Promise<Row | undefined>) =>
    use(context, place, async (store, tx) => {
      const got = await look(store)
      const along = await Promise.all(links.map(({ id, target }) => target.storeIn(tx, context.workspace).get(id)))
      return { got, along }
    })
  const seen = async () => {
    const looked = await seenBy(read, (store) => store.getWithLinks(row.id))
    expect(await seenBy(write, (store) => store.getToChange(row.id))).toEqual(looked)
    return looked
  }
  const first = await seen()
  expect(first.got).toEqual(row)
  expect(first.along.map((each) => each?.id)).toEqual(links.map(({ id }) => id))
  for (const [at, { id, target }] of links.entries()) {
    const there = first.along[at]!
    const changed = { ...emptied(target, there), updated_at: instant(9) }
    await write(context, target, (store) => store.update(changed))
    expect((await seen()).along[at]).toEqual(changed)
    await write(context, target, (store) => store.softDelete(id, instant(10)))
    expect(await seen()).toMatchObject({ got: row })
    expect((await seen()).along[at]).toBeUndefined()
  }
}
