import type { Actor } from '../actor.ts'
import { permit } from '../permissions.ts'
import type { Instant } from '../ports.ts'
import { asOwned } from '../records/owner.ts'
import type { Unit } from '../records/unit.ts'
import type { Deal } from './deal.ts'

/** The field by which deals belong to a person or a company. */
export type DealLink = 'person_id' | 'company_id'

/** The deals that come to a record, and those that leave it, each held until the transaction ends. */
export interface DealChanges {
  readonly link: DealLink
  readonly gained: readonly Deal[]
  readonly lost: readonly Deal[]
}

/** Every deal named belongs to the record from now on, and no other does. What is not found is noted under `deals[n]`. */
export async function resolveDeals(
  link: DealLink,
  ids: readonly string[],
  recordId: string | undefined,
  { stores }: Unit,
  errors: Map<string, string>,
): Promise<DealChanges> {
  const had = recordId === undefined ? [] : await stores.deals.find([{ field: link, is: recordId }])
  const lostIds = had.map(({ id }) => id).filter((id) => !ids.includes(id))
  // Held in one order by everyone, so that nobody waits for each other.
  const held = new Map<string, Deal>()
  for (const id of [...new Set([...ids, ...lostIds])].sort()) {
    const deal = await stores.deals.getForUpdate(id)
    if (deal) held.set(id, deal)
  }
  for (const [index, id] of ids.entries()) if (!held.has(id)) errors.set(`deals[${index}]`, 'Deal not found.')
  const found = (wanted: readonly string[]) => wanted.map((id) => held.get(id)).filter((deal) => deal !== undefined)
  return {
    link,
    gained: found([...new Set(ids)]).filter((deal) => recordId === undefined || deal[link] !== recordId),
    lost: found(lostIds).filter((deal) => deal[link] === recordId),
  }
}

/** @throws CrmError `forbidden` when the actor may not update one of the deals */
export async function permitDeals({ gained, lost }: DealChanges, actor: Actor, unit: Unit): Promise<void> {
  for (const deal of [...gained, ...lost]) permit(actor, 'update', 'Deal', await asOwned(deal, actor, unit))
}

export async function saveDeals({ link, gained, lost }: DealChanges, recordId: string, at: Instant, { stores }: Unit): Promise<void> {
  const after = [...gained.map((deal) => ({ deal, to: recordId })), ...lost.map((deal) => ({ deal, to: null }))]
  await Promise.all(after.map(({ deal, to }) => stores.deals.update({ ...deal, [link]: to, updated_at: at }, deal)))
}
