import type { RecordBase, RecordStore } from '../ports.ts'
import { randomCharacters } from './entity-code.ts'
import { freeKey, keyFrom } from './key-from.ts'
import type { Change } from './resource.ts'

const LENGTH = 35

interface Keyed extends RecordBase {
  readonly key: string
}

/**
 * Fields with a key for a new record that was sent without one: made from its title, with a number where that is taken. Where
 * nothing is left of the title it is `kind` and chance.
 */
export async function settleKey<R extends Keyed>(
  { before, fields, random }: Change<R>,
  title: string | undefined,
  kind: string,
  store: Pick<RecordStore<R>, 'find' | 'has'>,
): Promise<Change<R>['fields']> {
  if (before || (fields as Partial<Keyed>).key !== undefined || title === undefined) return fields
  const base = keyFrom(title, LENGTH) || `${kind}_${randomCharacters(6, random).toLowerCase()}`
  const isTaken = await store.has([{ field: 'key', is: base }])
  const taken = isTaken ? (await store.find([])).map(({ key }) => key) : []
  return { ...fields, key: freeKey(base, new Set(taken), LENGTH) }
}
