import { loadForUpdate } from '../../engine/load-record.ts'
import type { Resource } from '../../engine/resource.ts'
import { throwIfErrors } from '../../engine/validate.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound, notFoundRule } from '../../kernel/errors.ts'
import { dayOf } from '../../kernel/time-zone.ts'
import type { Ports } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import { type DealOffer, MAX_OFFERS, type OfferInput, type Recipient } from '../../schema/deal-offer.ts'
import { loadItems } from '../deal-items/deal-items.ts'
import { buildOffer, buildRecipient, serialsOf } from './build-offer.ts'
import { isOver } from './offer-link.ts'
import { requireDealPermission } from './require-deal-permission.ts'

/** The transactions that number offers of a workspace follow one another. */
const NUMBERS = 'offer numbers'

interface NewOffer {
  readonly id: string
  readonly dealId: string
  readonly input: OfferInput
  readonly actor: Actor
}

/**
 * Inserts an offer of what the deal sells now. The deal is locked, so that its items are of one moment, and the workspace is
 * shared, so that its sender stays.
 * @throws CrmError `not_found`, `forbidden`, `validation_error`
 */
export async function createOffer(
  deals: Pick<Resource<Deal>, 'label' | 'store' | 'collection' | 'memberAccess'>,
  { id, dealId, input, actor }: NewOffer,
  transaction: WorkspaceTransaction,
  { now }: Pick<Ports, 'now'>,
): Promise<DealOffer> {
  const { workspaceId, shared } = transaction
  const deal = await loadForUpdate(deals, dealId, transaction)
  await requireDealPermission(deals, deal, actor, transaction)
  const workspace = await shared.workspaces.getForShare(workspaceId)
  if (!workspace) throw notFound('Workspace')
  const at = now()
  const date = dayOf(at, workspace.time_zone)
  const errors = new Map<string, string>()
  const [items, recipient, others] = await Promise.all([
    loadItems(deal.id, transaction),
    loadRecipient(deal, input.person_id, transaction, errors),
    countOffers(deal, transaction),
  ])
  if (isOver({ valid_until: input.valid_until }, date)) errors.set('valid_until', 'Must not be in the past.')
  if (items.length === 0) errors.set('items', 'The deal must have items.')
  if (!workspace.sender) errors.set('sender', 'The workspace must have a sender.')
  if (others >= MAX_OFFERS)
    errors.set('offers', `The deal has ${MAX_OFFERS} offers, which is as many as it can have.`)
  throwIfErrors(errors, input)
  const serial = await nextSerial(date, transaction)
  const sender = workspace.sender!
  const offer = buildOffer({ id, serial, deal, items, sender, recipient, input, actor, at, date })
  await transaction.service.stores.deal_offers.insert(offer)
  return offer
}

/** Those whom the member does not see are left out. */
async function loadRecipient(
  deal: Deal,
  personId: string | null | undefined,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Recipient> {
  const id = personId ?? deal.person_id
  const person = id === null ? undefined : await stores.people.get(id)
  if (personId != null && !person) errors.set('person_id', notFoundRule('Person'))
  const companyId = deal.company_id ?? person?.company_id ?? null
  return buildRecipient(person, companyId === null ? undefined : await stores.companies.get(companyId))
}

async function countOffers({ id }: Deal, { service }: WorkspaceTransaction): Promise<number> {
  const [group] = await service.stores.deal_offers.aggregate({
    where: [{ field: 'deal_id', is: id }],
    ...{ groupBy: [], order: 'count', limit: 1 },
  })
  return group?.count ?? 0
}

/** Locks the numbers until the transaction ends: a number that is rolled back is taken by the next offer. */
async function nextSerial(date: string, transaction: WorkspaceTransaction): Promise<number> {
  await transaction.lock(NUMBERS)
  const { from, to } = serialsOf(date)
  const {
    rows: [last],
  } = await transaction.service.stores.deal_offers.list({
    where: [
      { field: 'serial', from },
      { field: 'serial', to },
    ],
    ...{ order_by: 'serial', order: 'desc', page: 1, per_page: 1, omit: ['items'] },
  })
  return (last?.serial ?? from) + 1
}
