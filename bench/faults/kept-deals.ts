import type { Kept } from './kept.ts'
import { STAGES } from './keyed-writers.ts'
import type { Written } from './writers.ts'

/** Deals, the people that were made with them, their tags, moves and kept answers. @throws Error that names what is missing, half or twofold */
export function mustHaveKeptDeals(kept: Kept, written: Pick<Written, 'deals' | 'unsure' | 'contradictions'>): void {
  const [contradiction] = written.contradictions
  if (contradiction !== undefined) throw new Error(`One key, two answers: ${contradiction}`)
  mustBeOnce(kept.deals.map(({ name }) => name))
  mustBeOnce(kept.people.map(({ full_name }) => full_name))
  mustBeAsKnown(kept, written)
  mustBeWhole(kept)
}

function mustBeAsKnown(kept: Kept, { deals, unsure }: Pick<Written, 'deals' | 'unsure'>): void {
  const [dealsById, people] = [byId(kept.deals), byId(kept.people)]
  for (const [id, { name, personId, moved }] of deals) {
    const deal = dealsById.get(id)
    if (deal?.name !== name) throw new Error(`${name} was acknowledged and is gone.`)
    if (personId !== undefined && !people.has(personId)) throw new Error(`The person of ${name} was acknowledged and is gone.`)
    if (moved !== 'unsure' && isMoved(kept, deal) !== (moved === 'yes'))
      throw new Error(`${name} is not in the stage it was told to be in.`)
  }
  const known = new Set([...deals.values()].map(({ personId }) => personId))
  for (const { id, name } of kept.deals) mustBeAskedFor(deals.has(id) || unsure.has(name), name)
  for (const { id, full_name } of kept.people) mustBeAskedFor(known.has(id) || unsure.has(full_name), full_name)
}

function mustBeAskedFor(isAskedFor: boolean, name: string): void {
  if (!isAskedFor) throw new Error(`${name} was asked for by nobody, or was refused.`)
}

/** What one transaction wrote is there with all its parts. */
function mustBeWhole(kept: Kept): void {
  const ofPeople = Map.groupBy(kept.deals, ({ person_id }) => person_id)
  const moves = Map.groupBy(kept.moves, ({ deal_id }) => deal_id)
  for (const { id, full_name, tag_ids } of kept.people) {
    const [deal, other] = ofPeople.get(id) ?? []
    if (!deal || other) throw new Error(`${full_name} has ${deal ? 'several deals' : 'no deal'}.`)
    if (deal.name.replace('Deal', 'Person') !== full_name) throw new Error(`${full_name} has another's deal: ${deal.name}.`)
    if (tag_ids.length !== 1) throw new Error(`${full_name} has ${tag_ids.length} tags.`)
  }
  for (const deal of kept.deals) {
    const made = moves.get(deal.id)?.length ?? 0
    if (made !== (isMoved(kept, deal) ? 1 : 0)) throw new Error(`${deal.name} was moved, and ${made} moves are noted.`)
    if (deal.tag_ids.length !== 1) throw new Error(`${deal.name} has ${deal.tag_ids.length} tags.`)
  }
  const keyed = kept.deals.length + kept.people.length
  if (kept.answers !== keyed) throw new Error(`${keyed} records were made under a key, and ${kept.answers} answers are kept.`)
}

/** Whether the deal came into the second stage. */
export function isMoved({ stages }: Pick<Kept, 'stages'>, deal: Pick<Kept['deals'][number], 'stage_id'>): boolean {
  return stages.find(({ id }) => id === deal.stage_id)?.name === STAGES[1]
}

function mustBeOnce(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw new Error(`${name} is there twice, though it was asked for under one key.`)
    seen.add(name)
  }
}

function byId<R extends { readonly id: string }>(records: readonly R[]): ReadonlyMap<string, R> {
  return new Map(records.map((record) => [record.id, record]))
}
