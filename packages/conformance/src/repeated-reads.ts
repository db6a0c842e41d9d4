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

/** A store may cache reads within a transaction and beyond it, provided that no caller sees stale data. */
export const repeatedReads: Group = {
  name: 'repeated reads',
  cases: [
    ...ALL_COLLECTIONS.map((spec) => ({
      name: `${spec.name}: a transaction sees its own change to a record it has read`,
      run: (context: Context) => seesOwnChanges(context, spec),
    })),
    ...ALL_COLLECTIONS.map((spec) => ({
      name: `${spec.name}: a transaction sees a change committed since the last read`,
      run: (context: Context) => seesOthersChanges(context, spec),
    })),
    ...ALL_COLLECTIONS.map((spec) => ({
      name: `${spec.name}: a change in a failed savepoint is no longer visible`,
      run: (context: Context) => seesRolledBackState(context, spec),
    })),
    {
      name: 'a read in flight during an update causes no stale reads after it',
      async run(context) {
        const row = await insertRow(context, TASKS)
        await write(context, TASKS, async (store) => {
          const changed = { ...row, title: 'changed' }
          await Promise.all([store.get(row.id), store.update(changed)])
          expect(await readEveryWay(store, row.id)).toEqual([changed, changed])
        })
      },
    },
    ...WORKSPACE_COLLECTIONS.filter(({ foreignKeys }) => Object.keys(foreignKeys).length > 0).map((spec) => ({
      name: `${spec.name}: references read after a record are current after each change`,
      run: (context: Context) => readsReferences(context, spec),
    })),
    {
      name: 'a transaction that waited for a lock sees the changes of the previous holder, settings too',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        const task = await insertRow(context, TASKS, { title: '0' })
        const addOne = () =>
          write(context, TASKS, async (tasks, tx) => {
            const pipelines = PIPELINES.storeIn(tx, context.workspace)
            await Promise.all([pipelines.get(row.id), pipelines.find([])])
            await tasks.getForUpdate(task.id)
            const [current] = await pipelines.find([{ field: 'id', is: row.id }])
            expect(await pipelines.get(row.id)).toEqual(current)
            await pipelines.update({ ...current!, name: String(Number(current!['name']) + 1) })
          })
        await Promise.all(Array.from({ length: 20 }, addOne))
        expect(await read(context, PIPELINES, (store) => store.get(row.id))).toMatchObject({ name: '20' })
      },
    },
    {
      name: 'an optimistic lock reads references as the previous holder left them',
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
            const locked = (await tasks.getForUpdate(task.id, { lock: 'optimistic' }))!
            await tasks.update({ ...locked, title: `${locked['title']}+` })
            const person = (await people.get(id))!
            await people.update({ ...person, ...position(Number(person['position']) + 1) })
          })
        await Promise.all(Array.from({ length: 20 }, addOne))
        expect(await read(context, PEOPLE, (store) => store.get(id))).toMatchObject(position(20))
      },
    },
    ...Object.entries({ 'statement isolation': readStatement, 'the report workload': readReport }).map(
      ([name, readWith]) => ({
        name: `a read with ${name} resolves and rejects like its work, and sees commits`,
        async run(context: Context) {
          const row = await insertRow(context, TASKS)
          expect(await readWith(context, TASKS, (store) => store.get(row.id))).toEqual(row)
          const error = new Error('mine')
          await expect(readWith(context, TASKS, () => Promise.reject(error))).rejects.toBe(error)
          const endedStore = await readWith(context, TASKS, async (store) => store)
          await expect(endedStore.get(row.id)).rejects.toThrow()
          const changed = { ...row, title: 'changed' }
          await write(context, TASKS, (store) => store.update(changed))
          expect(await readWith(context, TASKS, (store) => store.get(row.id))).toEqual(changed)
        },
      }),
    ),
  ],
}

async function readEveryWay(store: RowStore, id: string): Promise<readonly (Row | undefined)[]> {
  const [one] = await store.getMany([id, id])
  return [await store.get(id), one]
}

async function seesOwnChanges(context: Context, spec: CollectionSpec): Promise<void> {
  const row = await insertRow(context, spec)
  const changed = { ...withNulls(spec, row), updated_at: instant(9) }
  await write(context, spec, async (store) => {
    expect(await readEveryWay(store, row.id)).toEqual([row, row])
    await store.update(changed)
    expect(await readEveryWay(store, row.id)).toEqual([changed, changed])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([changed])
    await store.softDelete(row.id, instant(10))
    expect(await readEveryWay(store, row.id)).toEqual([undefined, undefined])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([])
    await store.hardDelete(row.id)
    await store.insert(row)
    expect(await readEveryWay(store, row.id)).toEqual([row, row])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([row])
  })
}

async function seesOthersChanges(context: Context, spec: CollectionSpec): Promise<void> {
  const row = await insertRow(context, spec)
  const readAll = () =>
    read(context, spec, async (store) => [
      ...(await readEveryWay(store, row.id)),
      ...(await store.find([{ field: 'id', is: row.id }])),
    ])
  expect(await readAll()).toEqual([row, row, row])
  const changed = { ...withNulls(spec, row), updated_at: instant(9) }
  await write(context, spec, (store) => store.update(changed))
  expect(await readAll()).toEqual([changed, changed, changed])
  const next = cloneRow(spec, row)
  await write(context, spec, (store) => store.insert(next))
  expect(await read(context, spec, (store) => store.find([{ field: 'id', is: next.id }]))).toEqual([next])
  await write(context, spec, (store) => store.softDelete(row.id, instant(10)))
  expect(await readAll()).toEqual([undefined, undefined])
}

async function seesRolledBackState(context: Context, spec: CollectionSpec): Promise<void> {
  const row = await insertRow(context, spec)
  const changed = { ...withNulls(spec, row), updated_at: instant(9) }
  await write(context, spec, async (store, tx) => {
    const savepoint = tx.savepoint(async () => {
      await store.update(changed)
      expect(await readEveryWay(store, row.id)).toEqual([changed, changed])
      throw new Error('rolled back')
    })
    await expect(savepoint).rejects.toThrow('rolled back')
    expect(await readEveryWay(store, row.id)).toEqual([row, row])
    expect(await store.find([{ field: 'id', is: row.id }])).toEqual([row])
  })
}

async function readsReferences(context: Context, spec: CollectionSpec): Promise<void> {
  const row = await insertRow(context, spec)
  const references = Object.entries(spec.foreignKeys).flatMap(([field, target]) => {
    const id = row[field]
    return typeof id === 'string' ? [{ id, target: getCollection(target) }] : []
  })
  const loadWith = (run: typeof read, load: (store: RowStore) => Promise<Row | undefined>) =>
    run(context, spec, async (store, tx) => {
      const record = await load(store)
      const targets = await Promise.all(
        references.map(({ id, target }) => target.storeIn(tx, context.workspace).get(id)),
      )
      return { record, targets }
    })
  const loadEveryWay = async () => {
    const loaded = await loadWith(read, (store) => store.get(row.id))
    expect(await loadWith(readStatement, (store) => store.get(row.id))).toEqual(loaded)
    const locked = await loadWith(write, (store) => store.getForUpdate(row.id, { lock: 'optimistic' }))
    expect(locked).toEqual(loaded)
    return loaded
  }
  const first = await loadEveryWay()
  expect(first.record).toEqual(row)
  expect(first.targets.map((each) => each?.id)).toEqual(references.map(({ id }) => id))
  for (const [nth, { id, target }] of references.entries()) {
    const before = first.targets[nth]!
    const changed = { ...withNulls(target, before), updated_at: instant(9) }
    await write(context, target, (store) => store.update(changed))
    expect((await loadEveryWay()).targets[nth]).toEqual(changed)
    await write(context, target, (store) => store.softDelete(id, instant(10)))
    expect(await loadEveryWay()).toMatchObject({ record: row })
    expect((await loadEveryWay()).targets[nth]).toBeUndefined()
  }
}
