import { constantFrom, nat, record } from 'fast-check'
import { expect } from 'vitest'
import type { Context } from './case.ts'
import { getCollection, type Row, type RowStore, write } from './collections.ts'
import { cloneRow, instant } from './sample-rows.ts'

const TAGS = getCollection('tags')

interface Step {
  readonly method: 'insert' | 'insertMany' | 'softDelete' | 'hardDelete'
  readonly target: 'workspace' | 'otherWorkspace'
  /** Index of the record to delete among those inserted so far, modulo their number. */
  readonly nth: number
  readonly rollback: 'none' | 'savepoint' | 'transaction'
}

export const anyStep = record<Step>({
  method: constantFrom('insert', 'insertMany', 'softDelete', 'hardDelete'),
  target: constantFrom('workspace', 'otherWorkspace'),
  nth: nat(30),
  rollback: constantFrom('none', 'none', 'savepoint', 'transaction'),
})

/** Runs the steps in two empty workspaces and returns the ids of the live records. */
export async function runSteps(
  context: Context,
  row: Row,
  steps: readonly Step[],
): Promise<Record<Step['target'], Set<string>>> {
  const inserted = { workspace: [row], otherWorkspace: [row] }
  const live = { workspace: new Set<string>(), otherWorkspace: new Set<string>() }
  for (const { method, target, nth, rollback } of steps) {
    const chosen = inserted[target][nth % inserted[target].length]!
    const added =
      method === 'insert'
        ? [cloneRow(TAGS, row)]
        : method === 'insertMany'
          ? [cloneRow(TAGS, row), cloneRow(TAGS, row)]
          : []
    const work = async (store: RowStore) => {
      if (method === 'insert') await store.insert(added[0]!)
      if (method === 'insertMany') await store.insertMany(added)
      if (method === 'softDelete') await store.softDelete(chosen.id, instant(9))
      if (method === 'hardDelete') await store.hardDelete(chosen.id)
      if (rollback !== 'none') throw new Error('rolled back')
    }
    const run = write({ ...context, workspace: context[target] }, TAGS, async (store, tx) => {
      if (rollback === 'savepoint')
        await expect(tx.savepoint(() => work(store))).rejects.toThrow('rolled back')
      else await work(store)
    })
    if (rollback === 'transaction') await expect(run).rejects.toThrow('rolled back')
    else await run
    if (rollback !== 'none') continue
    for (const { id } of added) live[target].add(id)
    inserted[target].push(...added)
    if (method === 'softDelete' || method === 'hardDelete') live[target].delete(chosen.id)
  }
  return live
}
