import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import { randomBase32 } from './entity-code.ts'
import { buildKey, buildNthKey } from './key-from-title.ts'
import type { DeriveInput } from './resource.ts'

const MAX_KEY_LENGTH = 35
const CANDIDATE_COUNT = 20

interface HasKey extends RecordBase {
  readonly key: string
}

type KeyStore<R extends HasKey> = Pick<RecordStore<R>, 'find' | 'has'>

/**
 * Adds a key to the fields of a new record without one: derived from its title, with a number if that is
 * taken or reserved. If no letter or digit is left of the title, the key is `kind` and a random suffix.
 */
export async function deriveKey<R extends HasKey>(
  { before, fields, random }: DeriveInput<R>,
  title: string | undefined,
  kind: string,
  store: KeyStore<R>,
  reserved: readonly string[] = [],
): Promise<DeriveInput<R>['fields']> {
  if (before || (fields as Partial<HasKey>).key !== undefined || title === undefined) return fields
  const base = buildKey(title, MAX_KEY_LENGTH) || `${kind}_${randomBase32(6, random).toLowerCase()}`
  return { ...fields, key: await findFreeKey(base, store, reserved) }
}

/**
 * After the first candidates it doubles the number and then bisects: thousands of equal titles cost a dozen
 * lookups.
 */
async function findFreeKey<R extends HasKey>(
  base: string,
  store: KeyStore<R>,
  reserved: readonly string[],
): Promise<string> {
  const nth = (number: number) => buildNthKey(base, number, MAX_KEY_LENGTH)
  const isTaken = (number: number) => store.has([{ field: 'key', is: nth(number) }])
  const candidates = Array.from({ length: CANDIDATE_COUNT }, (_, index) => nth(index + 1))
  const holders = await store.find([{ field: 'key', oneOf: candidates }])
  const takenKeys = new Set([...reserved, ...holders.map(({ key }) => key)])
  const first = candidates.find((candidate) => !takenKeys.has(candidate))
  if (first !== undefined) return first
  let taken = CANDIDATE_COUNT
  let free = 2 * taken
  while (await isTaken(free)) [taken, free] = [free, 2 * free]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isTaken(middle)) taken = middle
    else free = middle
  }
  return nth(free)
}
