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

/** So many may leave at once, so that no one call holds the database for long. */
const MOST_LEAVING = 250

/** Every deal named belongs to the record from now on, and no other does. What is not found is noted under `deals[n]`. */
export async function resolveDeals(
  link: DealLink,
  ids: readonly string[],
  recordId: string | undefined,
  unit: Unit,
  errors: Map<string, string>,
): Promise<DealChanges> {
  const leaving = recordId === undefined ? [] : await leavingOf(link, ids, recordId, unit, errors)
  const held = await heldDeals([...ids, ...leaving], unit)
  for (const [index, id] of ids.entries()) if (!held.has(id)) errors.set(`deals[${index}]`, 'Deal not found.')
  const found = (wanted: readonly string[]) => [...new Set(wanted)].map((id) => held.get(id)).filter((deal) => deal !== undefined)
  return {
    link,
    gained: found(ids).filter((deal) => recordId === undefined || deal[link] !== recordId),
    lost: found(leaving).filter((deal) => deal[link] === recordId),
  }
}

async function leavingOf(
  link: DealLink,
  staying: readonly string[],
  recordId: string,
  { stores }: Unit,
  errors: Map<string, string>,
): Promise<readonly string[]> {
  const where = [{ field: link, is: recordId }]
  const per_page = MOST_LEAVING + staying.length
  const { rows, total } = await stores.deals.list({ page: 1, per_page, order_by: 'created_at', order: 'asc', where })
  const leaving = rows.map(({ id }) => id).filter((id) => !staying.includes(id))
  if (total <= per_page && leaving.length <= MOST_LEAVING) return leaving
  errors.set('deals', `Must leave out at most ${MOST_LEAVING} of the deals there are.`)
  return []
}

/** Held in one order by everyone, so that no two wait for each other. */
async function heldDeals(ids: readonly string[], { stores }: Unit): Promise<ReadonlyMap<string, Deal>> {
  const held = await Promise.all([...new Set(ids)].sort().map((id) => stores.deals.getForUpdate(id)))
  return new Map(held.flatMap((deal) => (deal ? [[deal.id, deal] as const] : [])))
}

/** @throws CrmError `forbidden` when the actor may not update one of the deals */
export async function permitDeals({ gained, lost }: DealChanges, actor: Actor, unit: Unit): Promise<void> {
  const deals = await Promise.all([...gained, ...lost].map((deal) => asOwned(deal, actor, unit)))
  for (const deal of deals) permit(actor, 'update', 'Deal', deal)
}

/** Gives the deals that changed, as they are from now on. */
export async function saveDeals(
  { link, gained, lost }: DealChanges,
  recordId: string,
  at: Instant,
  { stores }: Unit,
): Promise<readonly Deal[]> {
  const to = (target: string | null) => (before: Deal) => ({ before, after: { ...before, [link]: target, updated_at: at } })
  const saved = [...gained.map(to(recordId)), ...lost.map(to(null))]
  await Promise.all(saved.map(({ before, after }) => stores.deals.update(after, before)))
  return saved.map(({ after }) => after)
}
