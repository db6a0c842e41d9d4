import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { newId } from './case.ts'
import { type CollectionSpec, getCollection, type Row, type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

const OWNED = ['tasks', 'deals', 'people', 'companies'].map(getCollection)
const OWNERS = 3

interface Step {
  readonly method: 'insert' | 'insertMany' | 'update' | 'softDelete' | 'hardDelete'
  /** Index of the record to change among those inserted so far, modulo their number. */
  readonly nth: number
  /** Index of an owner; nobody beyond the last. */
  readonly owner: number
  readonly rollback: 'none' | 'savepoint' | 'transaction'
}

const anyStep = record<Step>({
  method: constantFrom('insert', 'insertMany', 'update', 'update', 'softDelete', 'hardDelete'),
  nth: nat(20),
  owner: nat(OWNERS),
  rollback: constantFrom('none', 'none', 'savepoint', 'transaction'),
})

/** Totals of what some owners and nobody own, which a store may maintain instead of counting. */
export const ownerTotals: Group = {
  name: 'owner totals',
  cases: OWNED.map((spec) => ({
    name: `${spec.name}: a total of owners equals the number of their records after any sequence of writes`,
    async run(context) {
      const property = asyncProperty(array(anyStep, { minLength: 10, maxLength: 20 }), async (steps) => {
        const fresh = { ...context, workspace: newId() }
        const row = await insertRow(fresh, spec)
        const owners: string[] = []
        while (owners.length < OWNERS) owners.push((await insertRow(fresh, getCollection('members'))).id)
        const live = [...(await runSteps(fresh, spec, { row, owners }, steps)).values()]
        for (const some of [owners.slice(0, 2), owners.slice(1)]) {
          const expected = live.filter((owner) => owner === null || some.includes(owner))
          expect(await read(fresh, spec, (store) => listTotal(store, some))).toBe(expected.length)
        }
      })
      await assert(property, { numRuns: 10 })
    },
  })),
}

/** Runs the steps and returns the owners of the live records, by their ids. */
async function runSteps(
  context: Context,
  spec: CollectionSpec,
  { row, owners }: { readonly row: Row; readonly owners: readonly string[] },
  steps: readonly Step[],
): Promise<ReadonlyMap<string, string | null>> {
  let live = new Map<string, string | null>()
  const inserted: Row[] = []
  for (const { method, nth, owner, rollback } of steps) {
    const owner_user_id = owners[owner] ?? null
    const chosen = inserted[nth % Math.max(inserted.length, 1)]
    const next = new Map(live)
    const added: Row[] = []
    const work = async (store: RowStore) => {
      const copies = method === 'insert' ? 1 : method === 'insertMany' ? 2 : 0
      for (let count = 0; count < copies; count += 1) added.push(cloneRow(spec, row, { owner_user_id }))
      if (method === 'insert') await store.insert(added[0]!)
      if (method === 'insertMany') await store.insertMany(added)
      for (const { id } of added) next.set(id, owner_user_id)
      if (chosen && next.has(chosen.id)) {
        if (method === 'update') {
          await store.update({ ...chosen, owner_user_id })
          next.set(chosen.id, owner_user_id)
        }
        if (method === 'softDelete') await store.softDelete(chosen.id, instant(9))
        if (method === 'hardDelete') await store.hardDelete(chosen.id)
        if (method.endsWith('Delete')) next.delete(chosen.id)
      }
      if (rollback !== 'none') throw new Error('rolled back')
    }
    const run = write(context, spec, (store, tx) =>
      rollback === 'savepoint' ? tx.savepoint(() => work(store)).catch(expectRollback) : work(store),
    )
    await run.catch(expectRollback)
    if (rollback !== 'none') continue
    live = next
    inserted.push(...added)
  }
  return live
}

function expectRollback(error: unknown): void {
  expect(error).toMatchObject({ message: 'rolled back' })
}

async function listTotal(store: RowStore, owners: readonly string[]): Promise<number> {
  const { rows, total } = await store.list({
    ...{ page: 1, per_page: 100, order_by: 'created_at', order: 'asc' },
    where: [
      {
        anyOf: [
          { field: 'owner_user_id', is: null },
          { field: 'owner_user_id', oneOf: owners },
        ],
      },
    ],
  })
  expect(rows).toHaveLength(total)
  return total
}
