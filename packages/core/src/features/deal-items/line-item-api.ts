import { buildViews } from '../../engine/build-views.ts'
import type { Engine, IdempotentResult, RecordRule, SaveResponse } from '../../engine/extension.ts'
import { loadForUpdate, loadRecord } from '../../engine/load-record.ts'
import { RecordWriter, type WritableResource } from '../../engine/record-writer.ts'
import type { Resource } from '../../engine/resource.ts'
import { validate } from '../../engine/validate.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import { inWorkspace, readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { associationsFailed, type FieldErrors } from '../../kernel/errors.ts'
import type { Deal } from '../../schema/deal.ts'
import {
  dealItems,
  type LineItem,
  type LineItemChanges,
  type LineItemInput,
  type LineItemsInput,
  lineItemsInput,
} from '../../schema/deal-item.ts'
import type { LineTotals } from '../../schema/line-totals.ts'
import type { LineItemView } from '../../schema/views.ts'
import { addItem, changeItem, type DealWithItems, removeItem, replaceItems } from './change-items.ts'
import { ITEM_CHANGES, loadItems } from './deal-items.ts'
import { computeNet, computeTax, computeTotals } from './line-amounts.ts'
import { compareItems } from './order-items.ts'

/** What all items of a deal come to. */
export interface LineItemsMeta {
  readonly totals: LineTotals
}

/** All items of a deal, in their order. */
export interface LineItemList {
  readonly data: readonly LineItemView[]
  readonly meta: LineItemsMeta
}

/** One item, with what all of the deal come to. */
export interface LineItemResult {
  readonly data: LineItemView
  readonly meta: LineItemsMeta
}

/**
 * The line items of deals. Who may change a deal may change its items. A change of them is a change of the deal, whose
 * `updated` event it sends once, unless nothing changes. All throw CrmError `insufficient_scope` and `not_found`; those that
 * change, `validation_error` and `forbidden`.
 */
export interface LineItemApi {
  list(actor: Actor, dealId: string): Promise<LineItemList>
  /** Adds an item. A null field is the same as one that is left out. */
  create(actor: Actor, dealId: string, input: LineItemInput): Promise<LineItemResult>
  /** As `create`, once per key. @throws CrmError `idempotency_conflict` */
  createIdempotent(
    actor: Actor,
    key: string,
    dealId: string,
    input: LineItemInput,
  ): Promise<IdempotentResult<LineItemResult>>
  /** Changes the fields of one item. @throws CrmError `bad_request` without a field */
  update(actor: Actor, dealId: string, id: string, changes: LineItemChanges): Promise<LineItemResult>
  /** As `update`, once per key. @throws CrmError `idempotency_conflict` */
  updateIdempotent(
    actor: Actor,
    key: string,
    dealId: string,
    id: string,
    changes: LineItemChanges,
  ): Promise<IdempotentResult<LineItemResult>>
  /** Deletes an item, and returns the others. */
  remove(actor: Actor, dealId: string, id: string): Promise<LineItemList>
  /** Replaces all items. Those with an id of the deal stay, with the changes that are sent; the others are new. */
  replace(actor: Actor, dealId: string, input: LineItemsInput): Promise<LineItemList>
}

type DealResource<Detail extends object> = WritableResource<Deal, Detail> & Pick<Resource<Deal>, 'scopes'>
type PlanItems = (context: DealWithItems) => Promise<readonly LineItem[]> | readonly LineItem[]

interface WriteOptions {
  /** Errors of the idempotency key, reported with those of the input. */
  readonly keyErrors?: FieldErrors
  readonly saveResponse?: SaveResponse
}

/** @param rules rules of the embedding application for deals */
export function lineItemApi<Detail extends object>(
  deals: DealResource<Detail>,
  engine: Engine,
  rules?: readonly RecordRule<Deal>[],
): LineItemApi {
  const writer = new RecordWriter(deals, engine, rules)
  const { read, write } = deals.scopes

  /** The deal is locked, so that of concurrent changes each sees what the others have written. */
  async function change<T extends object>(
    actor: Actor,
    dealId: string,
    plan: PlanItems,
    toResult: (list: LineItemList) => T,
    saveResponse?: SaveResponse,
  ): Promise<T> {
    return engine.storage.transact(async (tx) => {
      const transaction = inWorkspace(tx, actor, engine)
      const deal = await loadForUpdate(deals, dealId, transaction)
      const items = await loadItems(deal.id, transaction)
      const at = engine.now()
      const after = await plan({ deal, items, transaction, at, newId: engine.newId })
      const changes = compareItems(items, after, at)
      const outcome = await writer.update(actor, deal.id, { [ITEM_CHANGES]: changes }, tx)
      if ('failure' in outcome) throw associationsFailed(deals.label, outcome.failure)
      const result = toResult(await buildList(changes.items, transaction))
      await saveResponse?.(tx, result)
      return result
    })
  }

  async function create(
    actor: Actor,
    dealId: string,
    input: LineItemInput,
    { keyErrors, saveResponse }: WriteOptions = {},
  ): Promise<LineItemResult> {
    requireScope(actor, write)
    const fields = validate(dealItems.create, input, 'field', keyErrors)
    const id = engine.newId()
    const plan = (context: DealWithItems) => addItem(id, fields, context)
    return change(actor, dealId, plan, (list) => pickItem(list, id), saveResponse)
  }

  async function update(
    actor: Actor,
    dealId: string,
    id: string,
    input: LineItemChanges,
    { keyErrors, saveResponse }: WriteOptions = {},
  ): Promise<LineItemResult> {
    requireScope(actor, write)
    const changes = validatePatch(dealItems.update, input, keyErrors)
    const plan = (context: DealWithItems) => changeItem(id, changes, context)
    return change(actor, dealId, plan, (list) => pickItem(list, id.toLowerCase()), saveResponse)
  }

  /** @param path of the key, which names the deal */
  async function writeOnce(
    actor: Actor,
    key: string,
    dealId: string,
    input: object,
    [path, run]: readonly [path: string, run: (options: WriteOptions) => Promise<LineItemResult>],
  ): Promise<IdempotentResult<LineItemResult>> {
    requireScope(actor, write)
    const request = { actor, path: path.toLowerCase(), key, body: input }
    const result = await engine.createIdempotently(request, (saveResponse, keyErrors) =>
      run({ saveResponse, keyErrors }),
    )
    // The key may be that of a member who sees more.
    if (result.isReplay)
      await readWorkspace(engine, actor, (transaction) => loadRecord(deals, dealId, transaction))
    return result
  }

  return {
    async list(actor, dealId) {
      requireScope(actor, read)
      return readWorkspace(engine, actor, async (transaction) => {
        const { id } = await loadRecord(deals, dealId, transaction)
        return buildList(await loadItems(id, transaction), transaction)
      })
    },
    create: (actor, dealId, input) => create(actor, dealId, input),
    createIdempotent: (actor, key, dealId, input) =>
      writeOnce(actor, key, dealId, input, [
        `${dealItems.collection} ${dealId}`,
        (options) => create(actor, dealId, input, options),
      ]),
    update: (actor, dealId, id, input) => update(actor, dealId, id, input),
    updateIdempotent: (actor, key, dealId, id, input) =>
      writeOnce(actor, key, dealId, input, [
        `${dealItems.collection} ${dealId} ${id}`,
        (options) => update(actor, dealId, id, input, options),
      ]),
    async remove(actor, dealId, id) {
      requireScope(actor, write)
      return change(
        actor,
        dealId,
        (context) => removeItem(id, context),
        (list) => list,
      )
    },
    async replace(actor, dealId, input) {
      requireScope(actor, write)
      const { items } = validate(lineItemsInput, input)
      return change(
        actor,
        dealId,
        (context) => replaceItems(items, context),
        (list) => list,
      )
    },
  }
}

const AMOUNT_LOADERS = {
  total_cts: async () => (item: LineItem) => Number(computeNet(item)),
  tax_cts: async () => (item: LineItem) => Number(computeTax(item)),
}

async function buildList(items: readonly LineItem[], transaction: ViewTransaction): Promise<LineItemList> {
  const data = await buildViews('deal_items', 'item', items, transaction, { loaders: AMOUNT_LOADERS })
  return { data, meta: { totals: computeTotals(items) } }
}

function pickItem({ data, meta }: LineItemList, id: string): LineItemResult {
  return { data: data.find((item) => item.id === id)!, meta }
}
