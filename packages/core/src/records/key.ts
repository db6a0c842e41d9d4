import type { RecordBase, RecordStore } from '../ports.ts'
import { randomCharacters } from './entity-code.ts'
import { keyFrom, nthKey } from './key-from.ts'
import type { Change } from './resource.ts'

const LENGTH = 35
const AT_ONCE = 20

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
  store: Pick<RecordStore<R>, 'find'>,
): Promise<Change<R>['fields']> {
  if (before || (fields as Partial<Keyed>).key !== undefined || title === undefined) return fields
  const base = keyFrom(title, LENGTH) || `${kind}_${randomCharacters(6, random).toLowerCase()}`
  return { ...fields, key: await freeKey(base, store) }
}

async function freeKey<R extends Keyed>(base: string, store: Pick<RecordStore<R>, 'find'>): Promise<string> {
  for (let tried = 0; ; tried += AT_ONCE) {
    const candidates = Array.from({ length: AT_ONCE }, (_, index) => nthKey(base, tried + index + 1, LENGTH))
    const taken = new Set((await store.find([{ field: 'key', oneOf: candidates }])).map(({ key }) => key))
    const free = candidates.find((candidate) => !taken.has(candidate))
    if (free !== undefined) return free
  }
}
