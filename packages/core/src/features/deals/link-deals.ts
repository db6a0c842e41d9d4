import type { ChangeContext, Extension } from '../../engine/extension.ts'
import { linkColumns, moveMain, readLinks, removeLink } from '../../engine/link-lists.ts'
import { resolveEffectiveOwner } from '../../engine/owner.ts'
import type { ViewTransaction, WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { requireScope } from '../../kernel/actor.ts'
import { requirePermission, type Writer } from '../../kernel/permissions.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Condition } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import { LINK_LISTS, whereLinkedTo } from '../../schema/link-lists.ts'
import type { Webhook } from '../../schema/webhook.ts'
import { emitAllEvents, loadWebhooks } from '../webhooks/emit-events.ts'
import { toSubject } from '../webhooks/subject.ts'
import { deals } from './deal.ts'

const PEOPLE = LINK_LISTS.deals
const UPDATE_EVENT = 'deal.updated'

/** The field by which deals belong to a person or a company. */
type DealLink = 'person_id' | 'company_id'

/** The deals to link to a record and those to unlink, each locked until the transaction ends. */
interface DealChanges {
  readonly link: DealLink
  readonly dealsToLink: readonly Deal[]
  readonly dealsToUnlink: readonly Deal[]
}

/** Bounds the time for which one call locks deals. */
const MAX_UNLINKED = 250
/** Most deliveries that one call may cause: each changed deal goes to each webhook that hears of it. */
const MAX_DELIVERIES = 5000

/**
 * Extension for the `deals` of a person or company: links the deals sent and unlinks all others. Each counts
 * as an update of the deal.
 */
export function dealLink<R extends RecordBase>(link: DealLink): Extension<R> {
  return {
    inputFields: ['deals'],
    authorize(actor, input) {
      if (input['deals'] !== undefined) requireScope(actor, 'deals:write')
    },
    async resolve(input, before, transaction, errors) {
      const ids = input['deals'] as readonly string[] | undefined
      if (!ids) return { fields: {} }
      const [changes, webhooks] = await Promise.all([
        resolveDealChanges(link, ids, before?.id, transaction, errors),
        loadWebhooks(transaction),
      ])
      const count = changes.dealsToLink.length + changes.dealsToUnlink.length
      if (count === 0) return { fields: {} }
      const problem = findDeliveryProblem(count, webhooks)
      if (problem !== undefined) errors.set('deals', problem)
      return {
        fields: {},
        requirePermissions: (actor, transaction) => requireDealPermissions(changes, actor, transaction),
        save: (recordId, transaction, context) =>
          saveDeals(changes, recordId, webhooks, transaction, context),
      }
    },
  }
}

/** Returns why so many deals cannot change at once. */
function findDeliveryProblem(changedDeals: number, webhooks: readonly Webhook[]): string | undefined {
  const listeners = webhooks.filter(({ events }) => events.includes(UPDATE_EVENT)).length
  if (changedDeals * listeners <= MAX_DELIVERIES) return undefined
  const maxDeals = Math.floor(MAX_DELIVERIES / listeners)
  return `Must change at most ${maxDeals} deals, because each change goes to ${listeners} webhooks.`
}

/** Sets an error under `deals[n]` for each deal that does not exist. */
async function resolveDealChanges(
  link: DealLink,
  ids: readonly string[],
  recordId: string | undefined,
  transaction: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<DealChanges> {
  const idsToUnlink =
    recordId === undefined ? [] : await findUnlinkedDealIds(link, ids, recordId, transaction, errors)
  const lockedDeals = await lockDeals([...ids, ...idsToUnlink], transaction)
  for (const [index, id] of ids.entries())
    if (!lockedDeals.has(id)) errors.set(`deals[${index}]`, 'Deal not found.')
  const pick = (wantedIds: readonly string[]) =>
    [...new Set(wantedIds)].map((id) => lockedDeals.get(id)).filter((deal) => deal !== undefined)
  return {
    link,
    dealsToLink: pick(ids).filter((deal) => recordId === undefined || !isLinked(deal, link, recordId)),
    dealsToUnlink: pick(idsToUnlink).filter(
      (deal) => recordId !== undefined && isLinked(deal, link, recordId),
    ),
  }
}

async function findUnlinkedDealIds(
  link: DealLink,
  keptIds: readonly string[],
  recordId: string,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<readonly string[]> {
  const where = [whereLinkedTo('deals', link, [recordId]) as Condition<Deal>]
  const per_page = MAX_UNLINKED + keptIds.length
  const { rows, total } = await stores.deals.list({
    page: 1,
    per_page,
    order_by: 'created_at',
    order: 'asc',
    where,
  })
  const ids = rows.map(({ id }) => id).filter((id) => !keptIds.includes(id))
  if (total <= per_page && ids.length <= MAX_UNLINKED) return ids
  errors.set('deals', `Must leave out at most ${MAX_UNLINKED} of the deals there are.`)
  return []
}

/** Locks the deals in the order of their ids, so that concurrent calls cannot deadlock. */
async function lockDeals(
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, Deal>> {
  const rows = await Promise.all([...new Set(ids)].sort().map((id) => stores.deals.getForUpdate(id)))
  return new Map(rows.flatMap((deal) => (deal ? [[deal.id, deal] as const] : [])))
}

/** @throws CrmError `forbidden` when the actor may not update one of the deals */
async function requireDealPermissions(
  { dealsToLink, dealsToUnlink }: DealChanges,
  actor: Writer,
  transaction: WorkspaceTransaction,
): Promise<void> {
  const effectiveDeals = await Promise.all(
    [...dealsToLink, ...dealsToUnlink].map((deal) => resolveEffectiveOwner(deal, deals, actor, transaction)),
  )
  for (const deal of effectiveDeals) requirePermission(actor, 'update', deals, deal)
}

/** True also for a person who is not the main one of the deal. */
function isLinked(deal: Deal, link: DealLink, id: string): boolean {
  return deal[link] === id || (link === 'person_id' && deal.other_people.some((other) => other.id === id))
}

function linkDeal(deal: Deal, link: DealLink, id: string): Deal {
  if (link === 'company_id') return { ...deal, company_id: id }
  return { ...deal, ...linkColumns(PEOPLE, moveMain(PEOPLE, readLinks(PEOPLE, deal), id)) }
}

function unlinkDeal(deal: Deal, link: DealLink, id: string): Deal {
  if (link === 'company_id') return { ...deal, company_id: null }
  return { ...deal, ...linkColumns(PEOPLE, removeLink(PEOPLE, readLinks(PEOPLE, deal), id)) }
}

/** Bounds the deals whose views are in memory at once. */
const EVENT_BATCH_SIZE = 20

async function saveDeals(
  { link, dealsToLink, dealsToUnlink }: DealChanges,
  recordId: string,
  webhooks: readonly Webhook[],
  transaction: ViewTransaction,
  context: ChangeContext,
): Promise<void> {
  const changed = [
    ...dealsToLink.map((deal) => linkDeal(deal, link, recordId)),
    ...dealsToUnlink.map((deal) => unlinkDeal(deal, link, recordId)),
  ].map((deal) => ({ ...deal, search_terms: deals.searchTerms!(deal), updated_at: context.at }))
  await Promise.all(changed.map((deal) => transaction.stores.deals.update(deal)))
  for (let from = 0; from < changed.length; from += EVENT_BATCH_SIZE) {
    const batch = changed.slice(from, from + EVENT_BATCH_SIZE)
    const buildEvents = async (as: ViewTransaction) =>
      (await deals.detailView(batch, as)).map((deal, index) => ({
        events: [UPDATE_EVENT] as const,
        snapshot: { deal },
        subject: toSubject('deals', batch[index]!),
      }))
    await emitAllEvents(webhooks, buildEvents, transaction, context)
  }
}
