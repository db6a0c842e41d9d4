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
      name: '`whereRelated` matches a reference to a live record that holds the id',
      async run(context) {
        const deal = await insertRow(context, DEALS)
        const [second, deleted] = [cloneRow(DEALS, deal), cloneRow(DEALS, deal)]
        const otherDeal = await insertRow(context, DEALS)
        await write(context, DEALS, (store) => store.insertMany([second, deleted]))
        const move = await insertRow(context, MOVES, { deal_id: deal.id })
        const secondMove = cloneRow(MOVES, move, { deal_id: second.id })
        const others = [deleted, otherDeal].map(({ id }) => cloneRow(MOVES, move, { deal_id: id }))
        await write(context, MOVES, (store) => store.insertMany([secondMove, ...others]))
        await write(context, DEALS, (store) => store.softDelete(deleted.id, instant(9)))
        expect(await findIds(context, MOVES, [byPerson(deal['person_id'])])).toEqual(
          [move.id, secondMove.id].sort(),
        )
        expect(
          await findIds(context, MOVES, [byPerson(deal['person_id']), { field: 'deal_id', is: second.id }]),
        ).toEqual([secondMove.id])
        expect(await findIds(context, MOVES, [byPerson(newId())])).toEqual([])
      },
    },
    {
      name: '`whereRelated` never matches null and stays within its workspace',
      async run(context) {
        const otherContext = { ...context, workspace: context.otherWorkspace }
        const deal = await insertRow(context, DEALS, { person_id: null })
        const foreign = await insertRow(otherContext, DEALS, { id: deal.id })
        await insertRow(context, MOVES, { deal_id: deal.id })
        await insertRow(context, TASKS, { deal_id: null })
        const move = await insertRow(otherContext, MOVES, { deal_id: foreign.id })
        expect(await findIds(context, MOVES, [byPerson(foreign['person_id'])])).toEqual([])
        expect(await findIds(context, TASKS, [byPerson(foreign['person_id'])])).toEqual([])
        expect(await findIds(otherContext, MOVES, [byPerson(foreign['person_id'])])).toEqual([move.id])
      },
    },
    {
      name: '`notExists` matches records that no live record refers to at or after the instant',
      async run(context) {
        const first = await insertRow(context, DEALS)
        const [early, late, exact, onlyDeleted, unreferenced] = Array.from({ length: 5 }, () =>
          cloneRow(DEALS, first),
        ) as [Row, Row, Row, Row, Row]
        await write(context, DEALS, (store) =>
          store.insertMany([early, late, exact, onlyDeleted, unreferenced]),
        )
        const task = await insertRow(context, TASKS, { deal_id: first.id, due_date: null })
        const buildTask = (deal: Row, at: number) =>
          cloneRow(TASKS, task, { deal_id: deal.id, due_date: instant(at) })
        const deletedTask = buildTask(onlyDeleted, 20)
        const tasks = [
          buildTask(early, 9),
          buildTask(late, 8),
          buildTask(late, 11),
          buildTask(exact, 10),
          deletedTask,
          { ...buildTask(unreferenced, 12), deal_id: null },
        ]
        await write(context, TASKS, (store) => store.insertMany(tasks))
        await write(context, TASKS, (store) => store.softDelete(deletedTask.id, instant(30)))
        const ownDeals: Condition<Row> = {
          field: 'id',
          oneOf: [first, early, late, exact, onlyDeleted, unreferenced].map(({ id }) => id),
        }
        expect(await findIds(context, DEALS, [ownDeals, withoutTask(10)])).toEqual(
          [first.id, early.id, onlyDeleted.id, unreferenced.id].sort(),
        )
        expect(await findIds(context, DEALS, [withoutTask(10), { field: 'id', is: early.id }])).toEqual([
          early.id,
        ])
        expect(await findIds(context, DEALS, [ownDeals, withoutTask(11), withoutTask(8)])).toEqual(
          [first.id, onlyDeleted.id, unreferenced.id].sort(),
        )
      },
    },
    {
      name: '`notExists` stays within its workspace',
      async run(context) {
        const otherContext = { ...context, workspace: context.otherWorkspace }
        const deal = await insertRow(context, DEALS)
        await insertRow(otherContext, DEALS, { id: deal.id })
        await insertRow(otherContext, TASKS, { deal_id: deal.id, due_date: instant(10) })
        const ownDeals: Condition<Row> = { field: 'id', is: deal.id }
        expect(await findIds(context, DEALS, [ownDeals, withoutTask(10)])).toEqual([deal.id])
        expect(await findIds(otherContext, DEALS, [ownDeals, withoutTask(10)])).toEqual([])
      },
    },
  ],
}

function byPerson(id: unknown): Condition<Row> {
  return {
    field: 'deal_id',
    whereRelated: { collection: 'deals', where: [{ field: 'person_id', is: id as string }] },
  }
}

function withoutTask(from: number): Condition<Row> {
  return {
    field: 'id',
    notExists: { collection: 'tasks', foreignKey: 'deal_id', field: 'due_date', from: instant(from) },
  }
}

/** Returns the sorted ids of all matches. find, has, list and aggregate must agree on them. */
async function findIds(
  context: Context,
  spec: CollectionSpec,
  where: readonly Condition<Row>[],
): Promise<string[]> {
  return read(context, spec, async (store) => {
    const matches = await findConsistently(store, where)
    const [all] = await store.aggregate({ where, groupBy: [], order: 'count', limit: 1 })
    expect(all?.count, 'aggregate').toBe(matches.length)
    return matches.map(({ id }) => id).sort()
  })
}
