import { constantFrom, nat, record } from 'fast-check'
import { expect } from 'vitest'
import type { Context } from './case.ts'
import { getCollection, type Row, type RowStore, write } from './collections.ts'
import { cloneRow, instant } from './sample-rows.ts'

const TAGS = getCollection('tags')

interface Step {
  readonly verb: 'insert' | 'insertMany' | 'softDelete' | 'erase'
  readonly where: 'here' | 'there'
  /** Which of the records there are, or were. */
  readonly nth: number
  readonly rollback: 'nothing' | 'the part' | 'the transaction'
}

export const anyStep = record<Step>({
  verb: constantFrom('insert', 'insertMany', 'softDelete', 'erase'),
  where: constantFrom('here', 'there'),
  nth: nat(30),
  rollback: constantFrom('nothing', 'nothing', 'the part', 'the transaction'),
})

/** The ids of the records that are there after `steps`, in two workspaces that were empty. */
export async function runSteps(
  context: Context,
  row: Row,
  steps: readonly Step[],
): Promise<Record<Step['where'], Set<string>>> {
  const known = { here: [row], there: [row] }
  const live = { here: new Set<string>(), there: new Set<string>() }
  for (const { verb, where, nth, rollback } of steps) {
    const chosen = known[where][nth % known[where].length]!
    const added =
      verb === 'insert'
        ? [cloneRow(TAGS, row)]
        : verb === 'insertMany'
          ? [cloneRow(TAGS, row), cloneRow(TAGS, row)]
          : []
    const work = async (store: RowStore) => {
      if (verb === 'insert') await store.insert(added[0]!)
      if (verb === 'insertMany') await store.insertMany(added)
      if (verb === 'softDelete') await store.softDelete(chosen.id, instant(9))
      if (verb === 'erase') await store.hardDelete(chosen.id)
      if (rollback !== 'nothing') throw new Error('undone')
    }
    const workspace = where === 'here' ? context.workspace : context.otherWorkspace
    const written = write({ ...context, workspace }, TAGS, async (store, tx) => {
      if (rollback === 'the part') await expect(tx.savepoint(() => work(store))).rejects.toThrow('undone')
      else await work(store)
    })
    if (rollback === 'the transaction') await expect(written).rejects.toThrow('undone')
    else await written
    if (rollback !== 'nothing') continue
    for (const { id } of added) live[where].add(id)
    known[where].push(...added)
    if (verb === 'softDelete' || verb === 'erase') live[where].delete(chosen.id)
  }
  return live
}
