import type { RecordBase, RecordStore } from '../ports.ts'
import { randomCharacters } from './entity-code.ts'
import { keyFrom, nthKey } from './key-from.ts'
import type { Change } from './resource.ts'

const LENGTH = 35
const AT_ONCE = 20

interface Keyed extends RecordBase {
  readonly key: string
}

type KeyStore<R extends Keyed> = Pick<RecordStore<R>, 'find' | 'has'>

/**
 * Fields with a key for a new record that was sent without one: made from its title, with a number where that is taken. Where
 * nothing is left of the title it is `kind` and chance.
 */
export async function settleKey<R extends Keyed>(
  { before, fields, random }: Change<R>,
  title: string | undefined,
  kind: string,
  store: KeyStore<R>,
): Promise<Change<R>['fields']> {
  if (before || (fields as Partial<Keyed>).key !== undefined || title === undefined) return fields
  const base = keyFrom(title, LENGTH) || `${kind}_${randomCharacters(6, random).toLowerCase()}`
  return { ...fields, key: await freeKey(base, store) }
}

/** Beyond the first numbers it leaps and then closes in: thousands of the same title cost a dozen looks, and not one each. */
async function freeKey<R extends Keyed>(base: string, store: KeyStore<R>): Promise<string> {
  const nth = (number: number) => nthKey(base, number, LENGTH)
  const isTaken = (number: number) => store.has([{ field: 'key', is: nth(number) }])
  const candidates = Array.from({ length: AT_ONCE }, (_, index) => nth(index + 1))
  const known = new Set((await store.find([{ field: 'key', oneOf: candidates }])).map(({ key }) => key))
  const first = candidates.find((candidate) => !known.has(candidate))
  if (first !== undefined) return first
  let taken = AT_ONCE
  let free = 2 * taken
  while (await isTaken(free)) [taken, free] = [free, 2 * free]
  while (free - taken > 1) {
    const between = Math.floor((taken + free) / 2)
    if (await isTaken(between)) taken = between
    else free = between
  }
  return nth(free)
}
