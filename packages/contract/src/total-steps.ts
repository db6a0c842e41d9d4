import { constantFrom, nat, record } from 'fast-check'
import { expect } from 'vitest'
import type { Context } from './case.ts'
import { placeOf, type Row, type RowStore, write } from './places.ts'
import { another, instant } from './samples.ts'

const TAGS = placeOf('tags')

interface Step {
  readonly does: 'insert' | 'insertMany' | 'softDelete' | 'erase'
  readonly where: 'here' | 'there'
  /** Which of the records there are, or were. */
  readonly nth: number
  readonly undone: 'nothing' | 'the part' | 'the transaction'
}

export const anyStep = record<Step>({
  does: constantFrom('insert', 'insertMany', 'softDelete', 'erase'),
  where: constantFrom('here', 'there'),
  nth: nat(30),
  undone: constantFrom('nothing', 'nothing', 'the part', 'the transaction'),
})

/** The ids of the records that are there after `steps`, in two workspaces that were empty. */
export async function followed(context: Context, row: Row, steps: readonly Step[]): Promise<Record<Step['where'], Set<string>>> {
  const known = { here: [row], there: [row] }
  const live = { here: new Set<string>(), there: new Set<string>() }
  for (const { does, where, nth, undone } of steps) {
    const chosen = known[where][nth % known[where].length]!
    const added = does === 'insert' ? [another(TAGS, row)] : does === 'insertMany' ? [another(TAGS, row), another(TAGS, row)] : []
    const work = async (store: RowStore) => {
      if (does === 'insert') await store.insert(added[0]!)
      if (does === 'insertMany') await store.insertMany(added)
      if (does === 'softDelete') await store.softDelete(chosen.id, instant(9))
      if (does === 'erase') await store.erase(chosen.id)
      if (undone !== 'nothing') throw new Error('undone')
    }
    const workspace = where === 'here' ? context.workspace : context.elsewhere
    const written = write({ ...context, workspace }, TAGS, async (store, tx) => {
      if (undone === 'the part') await expect(tx.attempt(() => work(store))).rejects.toThrow('undone')
      else await work(store)
    })
    if (undone === 'the transaction') await expect(written).rejects.toThrow('undone')
    else await written
    if (undone !== 'nothing') continue
    for (const { id } of added) live[where].add(id)
    known[where].push(...added)
    if (does === 'softDelete' || does === 'erase') live[where].delete(chosen.id)
  }
  return live
}
