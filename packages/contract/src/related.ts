import type { Condition } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, newId } from './case.ts'
import { foundIn } from './finding.ts'
import { type Place, placeOf, type Row, read, write } from './places.ts'
import { another, instant, planted } from './samples.ts'

const [DEALS, TASKS, MOVES] = [placeOf('deals'), placeOf('tasks'), placeOf('stage_moves')]

export const related: Group = {
  name: 'related records',
  cases: [
    {
      name: '`leadsTo` finds the records whose field leads to a live record that holds the id',
      async run(context) {
        const mine = await planted(context, DEALS)
        const [second, gone] = [another(DEALS, mine), another(DEALS, mine)]
        const theirs = await planted(context, DEALS)
        await write(context, DEALS, (store) => store.insertMany([second, gone]))
        const move = await planted(context, MOVES, { deal_id: mine.id })
        const ofSecond = another(MOVES, move, { deal_id: second.id })
        const others = [gone, theirs].map(({ id }) => another(MOVES, move, { deal_id: id }))
        await write(context, MOVES, (store) => store.insertMany([ofSecond, ...others]))
        await write(context, DEALS, (store) => store.softDelete(gone.id, instant(9)))
        expect(await idsOf(context, MOVES, [ofPerson(mine['person_id'])])).toEqual([move.id, ofSecond.id].sort())
        expect(await idsOf(context, MOVES, [ofPerson(mine['person_id']), { field: 'deal_id', is: second.id }])).toEqual([ofSecond.id])
        expect(await idsOf(context, MOVES, [ofPerson(newId())])).toEqual([])
      },
    },
    {
      name: '`leadsTo` finds nothing by null, and looks in its own workspace alone',
      async run(context) {
        const beyond = { ...context, workspace: context.elsewhere }
        const deal = await planted(context, DEALS, { person_id: null })
        const theirs = await planted(beyond, DEALS, { id: deal.id })
        await planted(context, MOVES, { deal_id: deal.id })
        await planted(context, TASKS, { deal_id: null })
        const move = await planted(beyond, MOVES, { deal_id: theirs.id })
        expect(await idsOf(context, MOVES, [ofPerson(theirs['person_id'])])).toEqual([])
        expect(await idsOf(context, TASKS, [ofPerson(theirs['person_id'])])).toEqual([])
        expect(await idsOf(beyond, MOVES, [ofPerson(theirs['person_id'])])).toEqual([move.id])
      },
    },
    {
      name: '`lacks` finds the records that no live record names at the instant or after it',
      async run(context) {
        const first = await planted(context, DEALS)
        const [early, late, exact, gone, bare] = Array.from({ length: 5 }, () => another(DEALS, first)) as [Row, Row, Row, Row, Row]
        await write(context, DEALS, (store) => store.insertMany([early, late, exact, gone, bare]))
        const task = await planted(context, TASKS, { deal_id: first.id, due_date: null })
        const due = (deal: Row, at: number) => another(TASKS, task, { deal_id: deal.id, due_date: instant(at) })
        const deleted = due(gone, 20)
        const tasks = [due(early, 9), due(late, 8), due(late, 11), due(exact, 10), deleted, { ...due(bare, 12), deal_id: null }]
        await write(context, TASKS, (store) => store.insertMany(tasks))
        await write(context, TASKS, (store) => store.softDelete(deleted.id, instant(30)))
        const mine: Condition<Row> = { field: 'id', oneOf: [first, early, late, exact, gone, bare].map(({ id }) => id) }
        expect(await idsOf(context, DEALS, [mine, withoutTask(10)])).toEqual([first.id, early.id, gone.id, bare.id].sort())
        expect(await idsOf(context, DEALS, [withoutTask(10), { field: 'id', is: early.id }])).toEqual([early.id])
        expect(await idsOf(context, DEALS, [mine, withoutTask(11), withoutTask(8)])).toEqual([first.id, gone.id, bare.id].sort())
      },
    },
    {
      name: '`lacks` looks in its own workspace alone',
      async run(context) {
        const beyond = { ...context, workspace: context.elsewhere }
        const deal = await planted(context, DEALS)
        await planted(beyond, DEALS, { id: deal.id })
        await planted(beyond, TASKS, { deal_id: deal.id, due_date: instant(10) })
        const mine: Condition<Row> = { field: 'id', is: deal.id }
        expect(await idsOf(context, DEALS, [mine, withoutTask(10)])).toEqual([deal.id])
        expect(await idsOf(beyond, DEALS, [mine, withoutTask(10)])).toEqual([])
      },
    },
  ],
}

function ofPerson(id: unknown): Condition<Row> {
  return { field: 'deal_id', leadsTo: { collection: 'deals', field: 'person_id', is: id as string } }
}

function withoutTask(from: number): Condition<Row> {
  return { field: 'id', lacks: { collection: 'tasks', by: 'deal_id', field: 'due_date', from: instant(from) } }
}

/** The ids of all that match, sorted. find, has, list and summarize must agree on them. */
async function idsOf(context: Context, place: Place, where: readonly Condition<Row>[]): Promise<string[]> {
  return read(context, place, async (store) => {
    const found = await foundIn(store, where)
    const [all] = await store.summarize({ where, by: [], order: 'count', most: 1 })
    expect(all?.count, 'summarize').toBe(found.length)
    return found.map(({ id }) => id).sort()
  })
}
