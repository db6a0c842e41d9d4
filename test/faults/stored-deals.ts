import { STAGES } from './keyed-writers.ts'
import type { StoredRecords } from './stored-records.ts'
import type { AcknowledgedWrites } from './writers.ts'

/**
 * Deals, the people that were made with them, their tags, moves and kept answers.
 * @throws Error that names what is missing, half or twofold
 */
export function expectStoredDeals(
  kept: StoredRecords,
  written: Pick<AcknowledgedWrites, 'deals' | 'unsure' | 'contradictions'>,
): void {
  const [contradiction] = written.contradictions
  if (contradiction !== undefined) throw new Error(`One key, two answers: ${contradiction}`)
  expectUnique(kept.deals.map(({ name }) => name))
  expectUnique(kept.people.map(({ full_name }) => full_name))
  expectKnownDeals(kept, written)
  expectComplete(kept)
}

function expectKnownDeals(
  kept: StoredRecords,
  { deals, unsure }: Pick<AcknowledgedWrites, 'deals' | 'unsure'>,
): void {
  const [dealsById, people] = [byId(kept.deals), byId(kept.people)]
  for (const [id, { name, personId, moved }] of deals) {
    const deal = dealsById.get(id)
    if (deal?.name !== name) throw new Error(`${name} was acknowledged and is gone.`)
    if (personId !== undefined && !people.has(personId))
      throw new Error(`The person of ${name} was acknowledged and is gone.`)
    if (moved !== 'unsure' && isMoved(kept, deal) !== (moved === 'yes'))
      throw new Error(`${name} is not in the stage it was told to be in.`)
  }
  const known = new Set([...deals.values()].map(({ personId }) => personId))
  for (const { id, name } of kept.deals) expectRequested(deals.has(id) || unsure.has(name), name)
  for (const { id, full_name } of kept.people)
    expectRequested(known.has(id) || unsure.has(full_name), full_name)
}

function expectRequested(isAskedFor: boolean, name: string): void {
  if (!isAskedFor) throw new Error(`${name} was asked for by nobody, or was refused.`)
}

/** What one transaction wrote is there with all its parts. */
function expectComplete(kept: StoredRecords): void {
  const ofPeople = Map.groupBy(kept.deals, ({ person_id }) => person_id)
  const moves = Map.groupBy(kept.moves, ({ deal_id }) => deal_id)
  for (const { id, full_name, tag_ids } of kept.people) {
    const [deal, other] = ofPeople.get(id) ?? []
    if (!deal || other) throw new Error(`${full_name} has ${deal ? 'several deals' : 'no deal'}.`)
    if (deal.name.replace('Deal', 'Person') !== full_name)
      throw new Error(`${full_name} has another's deal: ${deal.name}.`)
    if (tag_ids.length !== 1) throw new Error(`${full_name} has ${tag_ids.length} tags.`)
  }
  for (const deal of kept.deals) {
    const made = moves.get(deal.id)?.length ?? 0
    if (made !== (isMoved(kept, deal) ? 1 : 0))
      throw new Error(`${deal.name} was moved, and ${made} moves are noted.`)
    if (deal.tag_ids.length !== 1) throw new Error(`${deal.name} has ${deal.tag_ids.length} tags.`)
  }
  const keyed = kept.deals.length + kept.people.length
  if (kept.answers !== keyed)
    throw new Error(`${keyed} records were made under a key, and ${kept.answers} answers are kept.`)
}

/** Whether the deal came into the second stage. */
export function isMoved(
  { stages }: Pick<StoredRecords, 'stages'>,
  deal: Pick<StoredRecords['deals'][number], 'stage_id'>,
): boolean {
  return stages.find(({ id }) => id === deal.stage_id)?.name === STAGES[1]
}

function expectUnique(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw new Error(`${name} is there twice, though it was asked for under one key.`)
    seen.add(name)
  }
}

function byId<R extends { readonly id: string }>(records: readonly R[]): ReadonlyMap<string, R> {
  return new Map(records.map((record) => [record.id, record]))
}
