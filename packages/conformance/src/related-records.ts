import type { Condition } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, newId } from './case.ts'
import { type CollectionSpec, getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { findConsistently } from './search-helpers.ts'

const [DEALS, TASKS, MOVES] = [getCollection('deals'), getCollection('tasks'), getCollection('stage_moves')]

export const relatedRecords: Group = {
  name: 'related records',
  cases: [
    {
      name: '`whereRelated` finds the records whose field leads to a live record that holds the id',
      async run(context) {
        const mine = await insertRow(context, DEALS)
        const [second, gone] = [cloneRow(DEALS, mine), cloneRow(DEALS, mine)]
        const theirs = await insertRow(context, DEALS)
        await write(context, DEALS, (store) => store.insertMany([second, gone]))
        const move = await insertRow(context, MOVES, { deal_id: mine.id })
        const ofSecond = cloneRow(MOVES, move, { deal_id: second.id })
        const others = [gone, theirs].map(({ id }) => cloneRow(MOVES, move, { deal_id: id }))
        await write(context, MOVES, (store) => store.insertMany([ofSecond, ...others]))
        await write(context, DEALS, (store) => store.softDelete(gone.id, instant(9)))
        expect(await findIds(context, MOVES, [byPerson(mine['person_id'])])).toEqual(
          [move.id, ofSecond.id].sort(),
        )
        expect(
          await findIds(context, MOVES, [byPerson(mine['person_id']), { field: 'deal_id', is: second.id }]),
        ).toEqual([ofSecond.id])
        expect(await findIds(context, MOVES, [byPerson(newId())])).toEqual([])
      },
    },
    {
      name: '`whereRelated` finds nothing by null, and looks in its own workspace alone',
      async run(context) {
        const otherContext = { ...context, workspace: context.otherWorkspace }
        const deal = await insertRow(context, DEALS, { person_id: null })
        const theirs = await insertRow(otherContext, DEALS, { id: deal.id })
        await insertRow(context, MOVES, { deal_id: deal.id })
        await insertRow(context, TASKS, { deal_id: null })
        const move = await insertRow(otherContext, MOVES, { deal_id: theirs.id })
        expect(await findIds(context, MOVES, [byPerson(theirs['person_id'])])).toEqual([])
        expect(await findIds(context, TASKS, [byPerson(theirs['person_id'])])).toEqual([])
        expect(await findIds(otherContext, MOVES, [byPerson(theirs['person_id'])])).toEqual([move.id])
      },
    },
    {
      name: '`lacks` finds the records that no live record names at the instant or after it',
      async run(context) {
        const first = await insertRow(context, DEALS)
        const [early, late, exact, gone, bare] = Array.from({ length: 5 }, () => cloneRow(DEALS, first)) as [
          Row,
          Row,
          Row,
          Row,
          Row,
        ]
        await write(context, DEALS, (store) => store.insertMany([early, late, exact, gone, bare]))
        const task = await insertRow(context, TASKS, { deal_id: first.id, due_date: null })
        const due = (deal: Row, at: number) =>
          cloneRow(TASKS, task, { deal_id: deal.id, due_date: instant(at) })
        const deleted = due(gone, 20)
        const tasks = [
          due(early, 9),
          due(late, 8),
          due(late, 11),
          due(exact, 10),
          deleted,
          { ...due(bare, 12), deal_id: null },
        ]
        await write(context, TASKS, (store) => store.insertMany(tasks))
        await write(context, TASKS, (store) => store.softDelete(deleted.id, instant(30)))
        const mine: Condition<Row> = {
          field: 'id',
          oneOf: [first, early, late, exact, gone, bare].map(({ id }) => id),
        }
        expect(await findIds(context, DEALS, [mine, withoutTask(10)])).toEqual(
          [first.id, early.id, gone.id, bare.id].sort(),
        )
        expect(await findIds(context, DEALS, [withoutTask(10), { field: 'id', is: early.id }])).toEqual([
          early.id,
        ])
        expect(await findIds(context, DEALS, [mine, withoutTask(11), withoutTask(8)])).toEqual(
          [first.id, gone.id, bare.id].sort(),
        )
      },
    },
    {
      name: '`lacks` looks in its own workspace alone',
      async run(context) {
        const otherContext = { ...context, workspace: context.otherWorkspace }
        const deal = await insertRow(context, DEALS)
        await insertRow(otherContext, DEALS, { id: deal.id })
        await insertRow(otherContext, TASKS, { deal_id: deal.id, due_date: instant(10) })
        const mine: Condition<Row> = { field: 'id', is: deal.id }
        expect(await findIds(context, DEALS, [mine, withoutTask(10)])).toEqual([deal.id])
        expect(await findIds(otherContext, DEALS, [mine, withoutTask(10)])).toEqual([])
      },
    },
  ],
}

function byPerson(id: unknown): Condition<Row> {
  return { field: 'deal_id', whereRelated: { collection: 'deals', field: 'person_id', is: id as string } }
}

function withoutTask(from: number): Condition<Row> {
  return {
    field: 'id',
    notExists: { collection: 'tasks', foreignKey: 'deal_id', field: 'due_date', from: instant(from) },
  }
}

/** The ids of all that match, sorted. find, has, list and aggregate must agree on them. */
async function findIds(
  context: Context,
  spec: CollectionSpec,
  where: readonly Condition<Row>[],
): Promise<string[]> {
  return read(context, spec, async (store) => {
    const found = await findConsistently(store, where)
    const [all] = await store.aggregate({ where, groupBy: [], order: 'count', limit: 1 })
    expect(all?.count, 'aggregate').toBe(found.length)
    return found.map(({ id }) => id).sort()
  })
}
