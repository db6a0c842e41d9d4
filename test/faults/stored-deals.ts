import { STAGES } from './keyed-writers.ts'
import type { StoredRecords } from './stored-records.ts'
import type { AcknowledgedWrites } from './writers.ts'

/**
 * Checks the deals, their people, tags and moves, and the stored responses.
 * @throws Error naming a record that is missing, incomplete or duplicated
 */
export function expectStoredDeals(
  stored: StoredRecords,
  writes: Pick<AcknowledgedWrites, 'deals' | 'unconfirmed' | 'contradictions'>,
): void {
  const [contradiction] = writes.contradictions
  if (contradiction !== undefined) throw new Error(`One key with two responses: ${contradiction}`)
  expectUnique(stored.deals.map(({ name }) => name))
  expectUnique(stored.people.map(({ full_name }) => full_name))
  expectKnownDeals(stored, writes)
  expectComplete(stored)
}

function expectKnownDeals(
  stored: StoredRecords,
  { deals, unconfirmed }: Pick<AcknowledgedWrites, 'deals' | 'unconfirmed'>,
): void {
  const [dealsById, people] = [indexById(stored.deals), indexById(stored.people)]
  for (const [id, { name, personId, moved }] of deals) {
    const deal = dealsById.get(id)
    if (deal?.name !== name) throw new Error(`${name} was acknowledged and is missing.`)
    if (personId !== undefined && !people.has(personId))
      throw new Error(`The person of ${name} was acknowledged and is missing.`)
    if (moved !== 'unknown' && isMoved(stored, deal) !== (moved === 'yes'))
      throw new Error(`${name} is not in the acknowledged stage.`)
  }
  const knownPeople = new Set([...deals.values()].map(({ personId }) => personId))
  for (const { id, name } of stored.deals) expectRequested(deals.has(id) || unconfirmed.has(name), name)
  for (const { id, full_name } of stored.people)
    expectRequested(knownPeople.has(id) || unconfirmed.has(full_name), full_name)
}

function expectRequested(isRequested: boolean, name: string): void {
  if (!isRequested) throw new Error(`${name} was never requested, or its creation was rejected.`)
}

/** Checks that every transaction is stored completely. */
function expectComplete(stored: StoredRecords): void {
  const dealsByPerson = Map.groupBy(stored.deals, ({ person_id }) => person_id)
  const movesByDeal = Map.groupBy(stored.moves, ({ deal_id }) => deal_id)
  for (const { id, full_name, tag_ids } of stored.people) {
    const [deal, other] = dealsByPerson.get(id) ?? []
    if (!deal || other) throw new Error(`${full_name} has ${deal ? 'several deals' : 'no deal'}.`)
    if (deal.name.replace('Deal', 'Person') !== full_name)
      throw new Error(`${full_name} has the deal of another person: ${deal.name}.`)
    if (tag_ids.length !== 1) throw new Error(`${full_name} has ${tag_ids.length} tags.`)
  }
  for (const deal of stored.deals) {
    const moveCount = movesByDeal.get(deal.id)?.length ?? 0
    if (moveCount !== (isMoved(stored, deal) ? 1 : 0))
      throw new Error(
        `${deal.name} has ${moveCount} recorded moves, and should have ${isMoved(stored, deal) ? 1 : 0}.`,
      )
    if (deal.tag_ids.length !== 1) throw new Error(`${deal.name} has ${deal.tag_ids.length} tags.`)
  }
  const keyedCount = stored.deals.length + stored.people.length
  if (stored.storedResponses !== keyedCount)
    throw new Error(
      `${keyedCount} records were created under a key, and ${stored.storedResponses} responses are stored.`,
    )
}

/** Returns true if the deal is in the second stage. */
export function isMoved(
  { stages }: Pick<StoredRecords, 'stages'>,
  deal: Pick<StoredRecords['deals'][number], 'stage_id'>,
): boolean {
  return stages.find(({ id }) => id === deal.stage_id)?.name === STAGES[1]
}

function expectUnique(names: readonly string[]): void {
  const seenNames = new Set<string>()
  for (const name of names) {
    if (seenNames.has(name))
      throw new Error(`${name} is stored twice, although it was requested under one key.`)
    seenNames.add(name)
  }
}

function indexById<R extends { readonly id: string }>(records: readonly R[]): ReadonlyMap<string, R> {
  return new Map(records.map((record) => [record.id, record]))
}
