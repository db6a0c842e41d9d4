import type { Deal } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import text from '../ui/text.module.css'

/** The amount of a deal; in words if there is none. */
export function DealAmount({ deal }: { readonly deal: Pick<Deal, 'amount' | 'currency'> }) {
  const { texts, formatAmount } = useConsole()
  if (deal.amount === 0) return <span class={text.missing}>{texts.deals.noAmount}</span>
  return <data value={deal.amount}>{formatAmount(deal)}</data>
}
