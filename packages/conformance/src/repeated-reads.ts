import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  type Row,
  type RowStore,
  read,
  readReport,
  readStatement,
  WORKSPACE_COLLECTIONS,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant, withNulls } from './sample-rows.ts'

const [TASKS, PEOPLE, PIPELINES] = [
  getCollection('tasks'),
  getCollection('people'),
  getCollection('pipelines'),
]

/** A store may remember what a transaction has read, and what seldom changes for longer: nobody must be able to tell. */
export const repeatedReads: Group = {
  name: 'reading again',
  cases: [
    ...ALL_COLLECTIONS.map((spec) => ({
      name: `${spec.name}: what was read before a change is read anew after it, in the same transaction`,
      run: (context: Context) => seesOwnChanges(context, spec),
    })),
    ...ALL_COLLECTIONS.map((spec) => ({
      name: `${spec.name}: what one transaction has read, the next reads as it was changed meanwhile`,
      run: (context: Context) => seesOthersChanges(context, spec),
    })),
    ...ALL_COLLECTIONS.map((spec) => ({
      name: `${spec.name}: what a part that failed had changed is read as it was`,
      run: (context: Context) => seesRolledBackState(context, spec),
    })),
    {
      name: 'a read that is under way when its record is changed gives nothing old to those after it',
      async run(context) {
        const row = await insertRow(context, TASKS)
        await write(context, TASKS, async (store) => {
          const changed = { ...row, title: 'changed' }
          await Promise.all([store.get(row.id), store.update(changed)])
          expect(await readEveryWay(store, row.id)).toEqual([changed, changed, changed])
        })
      },
    },
    ...WORKSPACE_COLLECTIONS.filter(({ foreignKeys }) => Object.keys(foreignKeys).length > 0).map((spec) => ({
      name: `${spec.name}: what get with references reads along is as it is, whatever becomes of it`,
      run: (context: Context) => readsReferences(context, spec),
    })),
    {
      name: 'who has waited for a record reads what the one before has changed, settings too',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        const task = await insertRow(context, TASKS, { title: '0' })
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
        const task = await insertRow(context, TASKS)
        const id = String(task['person_id'])
        const position = (count: number) => ({ position: String(count) })
        await write(context, PEOPLE, async (people) =>
          people.update({ ...(await people.get(id))!, ...position(0) }),
        )
        const addOne = () =>
          write(context, TASKS, async (tasks, tx) => {
            const people = PEOPLE.storeIn(tx, context.workspace)
            await people.get(id)
            const held = (await tasks.getForUpdate(task.id, { lock: 'optimistic' }))!
            await tasks.update({ ...held, title: `${held['title']}+` })
            const person = (await people.get(id))!
            await people.update({ ...person, ...position(Number(person['position']) + 1) })
          })
        await Promise.all(Array.from({ length: 20 }, addOne))
        expect(await read(context, PEOPLE, (store) => store.get(id))).toMatchObject(position(20))
      },
    },
    ...Object.entries({ glance: readStatement, survey: readReport }).map(([name, look]) => ({
      name: `${name} gives what its work gives, sees what is committed, and throws what its work throws`,
      async run(context: Context) {
        const row = await insertRow(context, TASKS)
        expect(
          await look(context, TASKS, async (store) => [
            await store.get(row.id),
            await store.get(row.id, { include: 'references' }),
          ]),
        ).toEqual([row, row])
        const error = new Error('mine')
        await expect(look(context, TASKS, () => Promise.reject(error))).rejects.toBe(error)
        const late = await look(context, TASKS, async (store) => store)
        await expect(late.get(row.id)).rejects.toThrow()
        await expect(late.get(row.id, { include: 'references' })).rejects.toThrow()
        const changed = { ...row, title: 'changed' }
        await write(context, TASKS, (store) => store.update(changed))
        expect(await look(context, TASKS, (store) => store.get(row.id))).toEqual(changed)
      },
    })),
  ],
}

async function readEveryWay(store: RowStore, id: string): Promise<readonly (Row | undefined)[]> {
  const [one] = await store.getMany([id, id])
  return [await store.get(id), await store.get(id, { include: 'references' }), one]
}

async function seesOwnChanges(context: Context, spec: CollectionSpec): Promise<void> {
  const row = await insertRow(context, spec)
  const changed = { ...withNulls(spec, row), updated_at: instant(9) }
  await write(context, spec, async (store) => {
    expect(await readEveryWay(store, row.id)).toEqual([row, row, row])
    await store.update(changed)
    expect(await readEveryWay(store, row.id)).toEqual([changed, changed, changed])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([changed])
    await store.softDelete(row.id, instant(10))
    expect(await readEveryWay(store, row.id)).toEqual([undefined, undefined, undefined])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([])
    await store.hardDelete(row.id)
    await store.insert(row)
    expect(await readEveryWay(store, row.id)).toEqual([row, row, row])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([row])
  })
}

async function seesOthersChanges(context: Context, spec: CollectionSpec): Promise<void> {
  const row = await insertRow(context, spec)
  const look = () =>
    read(context, spec, async (store) => [
      ...(await readEveryWay(store, row.id)),
      ...(await store.find([{ field: 'id', is: row.id }])),
    ])
  expect(await look()).toEqual([row, row, row, row])
  const changed = { ...withNulls(spec, row), updated_at: instant(9) }
  await write(context, spec, (store) => store.update(changed))
  expect(await look()).toEqual([changed, changed, changed, changed])
  const next = cloneRow(spec, row)
  await write(context, spec, (store) => store.insert(next))
  expect(await read(context, spec, (store) => store.find([{ field: 'id', is: next.id }]))).toEqual([next])
  await write(context, spec, (store) => store.softDelete(row.id, instant(10)))
  expect(await look()).toEqual([undefined, undefined, undefined])
}

async function seesRolledBackState(context: Context, spec: CollectionSpec): Promise<void> {
  const row = await insertRow(context, spec)
  const changed = { ...withNulls(spec, row), updated_at: instant(9) }
  await write(context, spec, async (store, tx) => {
    const part = tx.savepoint(async () => {
      await store.update(changed)
      expect(await readEveryWay(store, row.id)).toEqual([changed, changed, changed])
      throw new Error('taken back')
    })
    await expect(part).rejects.toThrow('taken back')
    expect(await readEveryWay(store, row.id)).toEqual([row, row, row])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([row])
  })
}

async function readsReferences(context: Context, spec: CollectionSpec): Promise<void> {
  const row = await insertRow(context, spec)
  const links = Object.entries(spec.foreignKeys).flatMap(([field, target]) => {
    const id = row[field]
    return typeof id === 'string' ? [{ id, target: getCollection(target) }] : []
  })
  const seenBy = (use: typeof read, look: (store: RowStore) => Promise<Row | undefined>) =>
    use(context, spec, async (store, tx) => {
      const got = await look(store)
      const along = await Promise.all(
        links.map(({ id, target }) => target.storeIn(tx, context.workspace).get(id)),
      )
      return { got, along }
    })
  const seen = async () => {
    const looked = await seenBy(read, (store) => store.get(row.id, { include: 'references' }))
    expect(await seenBy(write, (store) => store.getForUpdate(row.id, { lock: 'optimistic' }))).toEqual(looked)
    return looked
  }
  const first = await seen()
  expect(first.got).toEqual(row)
  expect(first.along.map((each) => each?.id)).toEqual(links.map(({ id }) => id))
  for (const [at, { id, target }] of links.entries()) {
    const there = first.along[at]!
    const changed = { ...withNulls(target, there), updated_at: instant(9) }
    await write(context, target, (store) => store.update(changed))
    expect((await seen()).along[at]).toEqual(changed)
    await write(context, target, (store) => store.softDelete(id, instant(10)))
    expect(await seen()).toMatchObject({ got: row })
    expect((await seen()).along[at]).toBeUndefined()
  }
}
