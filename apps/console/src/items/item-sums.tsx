import type { Deal, LineItemList } from '@sales-crm/client'
import { BILLING_CYCLES, type BillingCycle } from '@sales-crm/core/browser'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { DEAL_AMOUNT } from '../fields/deal-fields.tsx'
import { FieldValue } from '../fields/field-value.tsx'
import { useRecordUpdate } from '../records/use-record-update.ts'
import { Menu } from '../ui/menu.tsx'
import styles from './items.module.css'
import { useItemTexts } from './texts.ts'

interface ItemSumsProps {
  readonly deal: Deal
  readonly list: LineItemList
  readonly isReadOnly: boolean
}

/** What the items come to by billing cycle, and the amount of the deal. */
export function ItemSums({ deal, list, isReadOnly }: ItemSumsProps) {
  const { formatAmount, texts } = useConsole()
  const itemTexts = useItemTexts()
  const { data, meta } = list
  const { currency } = deal
  const hasLines = (cycle: BillingCycle) => data.some(({ billing_cycle }) => billing_cycle === cycle)
  const cycles = BILLING_CYCLES.filter((cycle) => cycle !== 'quarterly' || hasLines(cycle))
  return (
    <dl class={styles.sums}>
      {cycles.map((cycle) => {
        const { net_cts, gross_cts, tax_cts } = meta.totals[cycle]
        return (
          <div key={cycle}>
            <dt>{texts.products.billing[cycle]}</dt>
            <dd>
              {hasLines(cycle) ? formatAmount({ amount: net_cts, currency }) : '—'}
              {tax_cts > 0 && (
                <small> {itemTexts.withTax(formatAmount({ amount: gross_cts, currency }))}</small>
              )}
            </dd>
          </div>
        )
      })}
      <DealSum deal={deal} sum={meta.totals.first_year.net_cts} isReadOnly={isReadOnly} />
    </dl>
  )
}

interface DealSumProps {
  readonly deal: Deal
  /** The net value of the first year. */
  readonly sum: number
  readonly isReadOnly: boolean
}

/** The amount of the deal, and whether it follows the items. */
function DealSum({ deal, sum, isReadOnly }: DealSumProps) {
  const { formatAmount } = useConsole()
  const { source, amount: label } = useItemTexts()
  const update = useRecordUpdate()
  const amount = useRef<HTMLElement>(null)
  const [isTyping, setIsTyping] = useState(false)
  const { id, currency, amount_source: from } = deal
  const isSum = from === 'items'
  const typedWord =
    deal.amount === sum ? source.typed : source.differs(formatAmount({ amount: sum, currency }))
  const word = isSum ? source.items : typedWord
  const typed = { amount: deal.amount, amount_source: 'typed' } as const
  const summed = { changes: { amount_source: 'items' }, shown: { amount: sum, amount_source: 'items' } }

  // After the field is there, and the menu has given the focus back.
  useEffect(() => {
    if (!isTyping || isSum) return
    setIsTyping(false)
    requestAnimationFrame(() =>
      requestAnimationFrame(() => amount.current?.querySelector<HTMLElement>('[data-edit]')?.click()),
    )
  }, [isTyping, isSum])

  function setSource(to: Deal['amount_source']): void {
    if (to === from) return
    update({
      ...{ kind: 'deals', id, label },
      ...(to === 'items'
        ? { to: summed, from: { changes: typed, shown: typed } }
        : { to: { changes: { amount_source: 'typed' }, shown: typed }, from: summed }),
    })
  }
  function typeAmount(): void {
    setSource('typed')
    setIsTyping(true)
  }
  return (
    <div class={styles.amount}>
      <dt>
        {isReadOnly ? (
          source.label(word)
        ) : (
          <Menu
            label={label}
            align="end"
            trigger={
              <button type="button" class={styles.word}>
                {source.label(word)}
              </button>
            }
            groups={[
              {
                actions: [
                  { label: source.sum, isChecked: isSum, select: () => setSource('items') },
                  { label: source.type, isChecked: !isSum, select: typeAmount },
                ],
              },
            ]}
          />
        )}
      </dt>
      <dd ref={amount}>
        {isSum ? (
          formatAmount({ amount: sum, currency })
        ) : (
          <FieldValue kind="deals" field={DEAL_AMOUNT} row={deal} />
        )}
      </dd>
    </div>
  )
}
