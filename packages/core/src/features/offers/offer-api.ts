import { buildViews } from '../../engine/build-views.ts'
import type { Engine, IdempotentResult, SaveResponse } from '../../engine/extension.ts'
import { loadForUpdate, loadRecord } from '../../engine/load-record.ts'
import type { Resource } from '../../engine/resource.ts'
import { validate } from '../../engine/validate.ts'
import {
  inWorkspace,
  readWorkspace,
  type ViewTransaction,
  type WorkspaceTransaction,
} from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { type FieldErrors, notFound, stateConflict } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import { dayOf } from '../../kernel/time-zone.ts'
import type { Deal } from '../../schema/deal.ts'
import { type DealOffer, dealOffers, MAX_OFFERS, type OfferInput } from '../../schema/deal-offer.ts'
import type { OfferListView, OfferView } from '../../schema/views.ts'
import { createOffer } from './create-offer.ts'
import { isOver, issueLink, openOffer, type RefusedOffer } from './offer-link.ts'
import { type OfferDocument, printOffer } from './print-offer.ts'
import { requireDealPermission } from './require-deal-permission.ts'

/** The address of an offer for everybody who has it. */
export interface OfferLink {
  readonly url: string
}

/**
 * The offers of deals. Who sees a deal reads its offers; who may change it makes them. An offer shows what the deal sold
 * when it was made, and nothing changes it. All but `open` throw CrmError `insufficient_scope` and `not_found`.
 */
export interface OfferApi {
  /** All offers of a deal, the newest first, without their lines. */
  list(actor: Actor, dealId: string): Promise<readonly OfferListView[]>
  get(actor: Actor, dealId: string, id: string): Promise<OfferView>
  /** Makes an offer with the next number. @throws CrmError `validation_error`, `forbidden` */
  create(actor: Actor, dealId: string, input: OfferInput): Promise<OfferView>
  /** As `create`, once per key. @throws CrmError `idempotency_conflict` */
  createIdempotent(
    actor: Actor,
    key: string,
    dealId: string,
    input: OfferInput,
  ): Promise<IdempotentResult<OfferView>>
  /** The document of an offer. @throws CrmError `rate_limit_exceeded` while too many are made */
  print(actor: Actor, dealId: string, id: string): Promise<OfferDocument>
  /**
   * Makes the link of an offer, which replaces a former one. It is not stored.
   * @throws CrmError `forbidden`, `conflict` for an offer that is over
   */
  createLink(actor: Actor, dealId: string, id: string): Promise<OfferLink>
  /** Ends the link of an offer, if there is one. @throws CrmError `forbidden` */
  removeLink(actor: Actor, dealId: string, id: string): Promise<void>
  /**
   * The document that a link leads to; requires no actor. Counts the opening.
   * @param isCounted false for an empty document
   */
  open(token: string, isCounted?: boolean): Promise<OfferDocument | RefusedOffer>
}

type DealResource = Pick<Resource<Deal>, 'label' | 'store' | 'collection' | 'memberAccess' | 'scopes'>

export function offerApi(deals: DealResource, engine: Engine): OfferApi {
  const { read, write } = deals.scopes

  async function loadOffer(
    dealId: string,
    id: string,
    transaction: WorkspaceTransaction,
  ): Promise<DealOffer> {
    const deal = await loadRecord(deals, dealId, transaction)
    return findOffer(deal, id, transaction)
  }

  async function create(
    actor: Actor,
    dealId: string,
    input: OfferInput,
    { keyErrors, saveResponse }: { keyErrors?: FieldErrors; saveResponse?: SaveResponse } = {},
  ): Promise<OfferView> {
    requireScope(actor, write)
    const fields = validate(dealOffers.create, input, 'field', keyErrors)
    const id = engine.newId()
    return engine.storage.transact(async (tx) => {
      const transaction = inWorkspace(tx, actor, engine)
      const offer = await createOffer(deals, { id, dealId, input: fields, actor }, transaction, engine)
      const view = await buildView(offer, transaction)
      await saveResponse?.(tx, view)
      return view
    })
  }

  /** Changes the link of an offer, which is locked. */
  async function changeLink(
    actor: Actor,
    dealId: string,
    id: string,
    change: (offer: DealOffer, transaction: ViewTransaction) => Promise<Partial<DealOffer>>,
  ): Promise<void> {
    requireScope(actor, write)
    await engine.storage.transact(async (tx) => {
      const transaction = inWorkspace(tx, actor, engine)
      const deal = await loadForUpdate(deals, dealId, transaction)
      const { id: offerId } = await findOffer(deal, id, transaction)
      await requireDealPermission(deals, deal, actor, transaction)
      const { deal_offers } = transaction.service.stores
      // Openings are counted without a lock of the deal.
      const offer = await deal_offers.getForUpdate(offerId)
      if (offer) await deal_offers.update({ ...offer, ...(await change(offer, transaction)) })
    })
  }

  return {
    async list(actor, dealId) {
      requireScope(actor, read)
      return readWorkspace(engine, actor, async (transaction) => {
        const { id } = await loadRecord(deals, dealId, transaction)
        const { rows } = await transaction.service.stores.deal_offers.list({
          where: [{ field: 'deal_id', is: id }],
          ...{ order_by: 'serial', order: 'desc', page: 1, per_page: MAX_OFFERS, omit: ['items'] },
        })
        return buildViews('deal_offers', 'item', rows, transaction)
      })
    },
    async get(actor, dealId, id) {
      requireScope(actor, read)
      return readWorkspace(engine, actor, async (transaction) =>
        buildView(await loadOffer(dealId, id, transaction), transaction),
      )
    },
    create: (actor, dealId, input) => create(actor, dealId, input),
    async createIdempotent(actor, key, dealId, input) {
      requireScope(actor, write)
      const path = `${dealOffers.collection} ${dealId}`.toLowerCase()
      const result = await engine.createIdempotently(
        { actor, path, key, body: input },
        (saveResponse, keyErrors) => create(actor, dealId, input, { saveResponse, keyErrors }),
      )
      // The key may be that of a member who sees more.
      if (result.isReplay)
        await readWorkspace(engine, actor, (transaction) => loadRecord(deals, dealId, transaction))
      return result
    },
    async print(actor, dealId, id) {
      requireScope(actor, read)
      const offer = await readWorkspace(engine, actor, (transaction) => loadOffer(dealId, id, transaction))
      return printOffer(engine, actor.workspaceId, offer)
    },
    async createLink(actor, dealId, id) {
      let url = ''
      await changeLink(actor, dealId, id, async (offer, { shared, workspaceId }) => {
        const workspace = await shared.workspaces.get(workspaceId)
        const at = engine.now()
        if (isOver(offer, dayOf(at, workspace?.time_zone ?? 'UTC')))
          throw stateConflict('valid_until', 'The offer is over: make a new one.')
        const { token, ...link } = issueLink(engine, workspaceId, offer, at)
        url = `${engine.issuer}/offers/${token}`
        return link
      })
      return { url }
    },
    removeLink: (actor, dealId, id) => changeLink(actor, dealId, id, async () => ({ link_created_at: null })),
    open: (token, isCounted = true) => openOffer(engine, token, isCounted),
  }
}

/** The caller has found the deal among those that the member sees. @throws CrmError `not_found` */
async function findOffer(deal: Deal, id: string, { service }: WorkspaceTransaction): Promise<DealOffer> {
  const offer = isUuid(id) ? await service.stores.deal_offers.get(id.toLowerCase()) : undefined
  if (offer?.deal_id !== deal.id) throw notFound(dealOffers.label)
  return offer
}

async function buildView(offer: DealOffer, transaction: ViewTransaction): Promise<OfferView> {
  const [view] = await buildViews('deal_offers', 'detail', [offer], transaction)
  return view!
}
