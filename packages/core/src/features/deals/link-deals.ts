import { resolveEffectiveOwner } from '../../engine/owner.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Instant } from '../../kernel/instant.ts'
import { requirePermission } from '../../kernel/permissions.ts'
import type { Deal } from '../../schema/deal.ts'

/** The field by which deals belong to a person or a company. */
export type DealLink = 'person_id' | 'company_id'

/** The deals that come to a record, and those that leave it, each held until the transaction ends. */
export interface DealChanges {
  readonly link: DealLink
  readonly added: readonly Deal[]
  readonly removed: readonly Deal[]
}

/** So many may leave at once, so that no one call holds the database for long. */
const MAX_REMOVED = 250

/** Every deal named belongs to the record from now on, and no other does. What is not found is noted under `deals[n]`. */
export async function resolveDealChanges(
  link: DealLink,
  ids: readonly string[],
  recordId: string | undefined,
  unit: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<DealChanges> {
  const removedIds = recordId === undefined ? [] : await findRemovedDealIds(link, ids, recordId, unit, errors)
  const locked = await lockDeals([...ids, ...removedIds], unit)
  for (const [index, id] of ids.entries())
    if (!locked.has(id)) errors.set(`deals[${index}]`, 'Deal not found.')
  const pick = (wantedIds: readonly string[]) =>
    [...new Set(wantedIds)].map((id) => locked.get(id)).filter((deal) => deal !== undefined)
  return {
    link,
    added: pick(ids).filter((deal) => recordId === undefined || deal[link] !== recordId),
    removed: pick(removedIds).filter((deal) => deal[link] === recordId),
  }
}

async function findRemovedDealIds(
  link: DealLink,
  keptIds: readonly string[],
  recordId: string,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<readonly string[]> {
  const where = [{ field: link, is: recordId }]
  const per_page = MAX_REMOVED + keptIds.length
  const { rows, total } = await stores.deals.list({
    page: 1,
    per_page,
    order_by: 'created_at',
    order: 'asc',
    where,
  })
  const ids = rows.map(({ id }) => id).filter((id) => !keptIds.includes(id))
  if (total <= per_page && ids.length <= MAX_REMOVED) return ids
  errors.set('deals', `Must leave out at most ${MAX_REMOVED} of the deals there are.`)
  return []
}

/** Held in one order by everyone, so that no two wait for each other. */
async function lockDeals(
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, Deal>> {
  const locked = await Promise.all([...new Set(ids)].sort().map((id) => stores.deals.getForUpdate(id)))
  return new Map(locked.flatMap((deal) => (deal ? [[deal.id, deal] as const] : [])))
}

/** @throws CrmError `forbidden` when the actor may not update one of the deals */
export async function requireDealPermissions(
  { added, removed }: DealChanges,
  actor: Actor,
  unit: WorkspaceTransaction,
): Promise<void> {
  const deals = await Promise.all(
    [...added, ...removed].map((deal) => resolveEffectiveOwner(deal, actor, unit)),
  )
  for (const deal of deals) requirePermission(actor, 'update', 'Deal', deal)
}

/** Gives the deals that changed, as they are from now on. */
export async function saveDealChanges(
  { link, added, removed }: DealChanges,
  recordId: string,
  at: Instant,
  { stores }: WorkspaceTransaction,
): Promise<readonly Deal[]> {
  const moveTo = (target: string | null) => (before: Deal) => ({
    before,
    after: { ...before, [link]: target, updated_at: at },
  })
  const changes = [...added.map(moveTo(recordId)), ...removed.map(moveTo(null))]
  await Promise.all(changes.map(({ before, after }) => stores.deals.update(after, before)))
  return changes.map(({ after }) => after)
}
