import type { DeriveInput } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Deal } from '../../schema/deal.ts'
import { loadItems } from '../deal-items/deal-items.ts'
import { computeFirstYear } from '../deal-items/line-amounts.ts'

type AmountInput = Pick<DeriveInput<Deal>, 'before' | 'fields'>

/**
 * Derives the amount of a deal from its line items if they are its source. An amount alone makes it the typed one. Sets errors
 * for an amount that the items do not come to, and for another currency of a deal with items.
 */
export async function deriveAmount(
  { before, fields }: AmountInput,
  transaction: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Partial<Deal>> {
  const isOtherCurrency = fields.currency !== undefined && fields.currency !== before?.currency
  const isFromItems = fields.amount_source === 'items'
  if (!isFromItems && !isOtherCurrency) return fields.amount === undefined ? fields : typeAmount(fields)
  const items = before ? await loadItems(before.id, transaction) : []
  if (isOtherCurrency && items.length > 0)
    errors.set('currency', 'Must stay the same while the deal has items.')
  if (!isFromItems) return fields.amount === undefined ? fields : typeAmount(fields)
  const amount = Number(computeFirstYear(items))
  // The amount of a create has an initial value, so that it is always there.
  if (fields.amount !== undefined && fields.amount !== amount)
    errors.set('amount', `Must be left out, or be that of the items: ${amount}.`)
  return { ...fields, amount }
}

function typeAmount(fields: Partial<Deal>): Partial<Deal> {
  return { ...fields, amount_source: 'typed' }
}
