import { throwIfErrors } from '../../engine/validate.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { notFound, notFoundRule } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { NewId } from '../../ports/clock.ts'
import type { Deal } from '../../schema/deal.ts'
import { dealItems, type LineItem } from '../../schema/deal-item.ts'
import { MAX_LINE_ITEMS } from '../../schema/line-item-limits.ts'
import type { Product } from '../../schema/product.ts'
import {
  checkLine,
  fillItem,
  findSumError,
  type ItemEdit,
  type ItemValues,
  type NewItem,
} from './fill-item.ts'
import { insertItem } from './order-items.ts'

/** The deal whose items change, which is locked, with its items in their order. */
export interface DealWithItems {
  readonly deal: Deal
  readonly items: readonly LineItem[]
  readonly transaction: WorkspaceTransaction
  readonly at: Instant
  readonly newId: NewId
}

type Changes = Partial<ItemValues> & { readonly position?: number | undefined }

const FULL_RULE = `The deal has ${MAX_LINE_ITEMS} items, which is as many as it can have.`

/** Returns the items with a new one of this id. @throws CrmError `validation_error` */
export async function addItem(
  id: string,
  input: NewItem,
  context: DealWithItems,
): Promise<readonly LineItem[]> {
  const { items } = context
  const errors = new Map<string, string>()
  const products = await loadProducts([input], [], context.transaction)
  const item = buildItem(input, products, context, (field, rule) => errors.set(field, rule))
  if (items.length >= MAX_LINE_ITEMS) errors.set('items', FULL_RULE)
  const after = insertItem(items, { ...item, id }, input.position ?? undefined)
  if (errors.size === 0) checkSum(after, 'unit_price_cts', errors)
  throwIfErrors(errors, input)
  return after
}

/** Returns the items with changes of one of them. @throws CrmError `validation_error`, `not_found` */
export async function changeItem(
  id: string,
  changes: Changes,
  context: DealWithItems,
): Promise<readonly LineItem[]> {
  const before = findItem(id, context.items)
  const errors = new Map<string, string>()
  const products = await loadProducts([changes], [before], context.transaction)
  const { position, ...values } = changes
  const item = mergeItem(before, values, products, (field, rule) => errors.set(field, rule))
  const others = context.items.filter((each) => each !== before)
  const after = insertItem(others, item, position ?? before.position)
  if (errors.size === 0) checkSum(after, Object.keys(changes)[0]!, errors)
  throwIfErrors(errors, changes)
  return after
}

/** Returns the items without one of them. @throws CrmError `not_found` */
export function removeItem(id: string, { items }: DealWithItems): readonly LineItem[] {
  const item = findItem(id, items)
  return items.filter((each) => each !== item)
}

/** Returns the items that replace all. @throws CrmError `validation_error` with the errors of all of them */
export async function replaceItems(
  entries: readonly ItemEdit[],
  context: DealWithItems,
): Promise<readonly LineItem[]> {
  const byId = new Map(context.items.map((item) => [item.id, item]))
  const errors = new Map<string, string>()
  const products = await loadProducts(entries, context.items, context.transaction)
  const ids = new Set<string>()
  const after = entries.flatMap(({ id, ...entry }, index) => {
    const setError = (field: string, rule: string) => errors.set(`items[${index}].${field}`, rule)
    if (id === undefined) return [buildItem(entry, products, context, setError)]
    const before = byId.get(id)
    if (!before) setError('id', notFoundRule(dealItems.label))
    else if (ids.has(id)) setError('id', 'Must not be the same as another one.')
    ids.add(id)
    return before ? [mergeItem(before, entry, products, setError)] : []
  })
  if (errors.size === 0) checkSum(after, 'items', errors)
  throwIfErrors(errors, { items: entries })
  return after
}

/** The products of items by their ids; null for one that was deleted. */
type Products = ReadonlyMap<string, Product | null>

/** @param current items, which may keep a product that was deleted */
async function loadProducts(
  entries: readonly { readonly product_id?: string | null | undefined }[],
  current: readonly LineItem[],
  { stores }: WorkspaceTransaction,
): Promise<Products> {
  const ids = [...new Set(entries.flatMap(({ product_id }) => product_id ?? []))]
  const found = ids.length === 0 ? [] : await stores.products.getMany(ids)
  const used = current.flatMap(({ product_id }) => product_id ?? [])
  return new Map([
    ...used.map((id) => [id, null] as const),
    ...found.map((product) => [product.id, product] as const),
  ])
}

function buildItem(
  input: NewItem | ItemEdit,
  products: Products,
  { deal, at, newId }: DealWithItems,
  setError: (field: string, rule: string) => void,
): LineItem {
  const product = products.get(input.product_id ?? '') ?? undefined
  if (input.product_id != null && !product) setError('product_id', notFoundRule('Product'))
  const values = fillItem(input, product, deal.currency, setError)
  checkLine(values, setError)
  return { id: newId(), deal_id: deal.id, position: 0, ...values, created_at: at, updated_at: at }
}

/** Changes what is sent alone: another product changes nothing else. */
function mergeItem(
  before: LineItem,
  changes: Partial<ItemValues> | ItemEdit,
  products: Products,
  setError: (field: string, rule: string) => void,
): LineItem {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined)
  const after: LineItem = { ...before, ...Object.fromEntries(sent) }
  const isOther = after.product_id !== before.product_id
  if (after.product_id !== null && isOther && !products.get(after.product_id))
    setError('product_id', notFoundRule('Product'))
  checkLine(after, setError)
  return after
}

/** @param field to which the caller sent a part of the sum */
function checkSum(items: readonly LineItem[], field: string, errors: Map<string, string>): void {
  const rule = findSumError(items)
  if (rule !== undefined) errors.set(field, rule)
}

function findItem(id: string, items: readonly LineItem[]): LineItem {
  const item = items.find((each) => each.id === id.toLowerCase())
  if (!item) throw notFound(dealItems.label)
  return item
}
