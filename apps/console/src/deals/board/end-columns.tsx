import type { BoardStage } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { sortAmounts } from '../../format/money.ts'
import { classNames } from '../../ui/class-names.ts'
import { Gauge } from '../../ui/gauge.tsx'
import text from '../../ui/text.module.css'
import { DealAmount } from '../deal-amount.tsx'
import styles from './board.module.css'

/** Won and lost, always in reach at the end of the board. */
export function EndColumns({
  stages,
  isEmpty,
}: {
  readonly stages: readonly BoardStage[]
  readonly isEmpty: boolean
}) {
  const { texts, dates, calendar } = useConsole()
  const now = useNow()
  return (
    <div class={styles.ends}>
      {stages.map((stage) => (
        <section
          key={stage.id}
          class={classNames(styles.end, stage.type === 'win' && styles.endWon)}
          aria-labelledby={`stage-${stage.id}`}
          data-stage={stage.id}
          id={`column-${stage.id}`}
        >
          <h2 id={`stage-${stage.id}`}>
            <Gauge type={stage.type} />
            <span class={text.cut}>{stage.name}</span>
          </h2>
          <p class={text.soft}>{texts.deals.inMonth(stage.count, dates.monthName(calendar.monthOf(now)))}</p>
          {isEmpty && (
            <p class={text.soft}>{stage.type === 'win' ? texts.deals.first.won : texts.deals.first.lost}</p>
          )}
          <EndSums stage={stage} />
          <ul class={styles.endList}>
            {stage.deals.slice(0, 5).map((deal) => (
              <li key={deal.id}>
                <Link class={classNames(text.plain, text.cut, styles.endDeal)} href={`/deals/${deal.id}`}>
                  {deal.name}
                </Link>
                <span class={text.soft}>
                  <DealAmount deal={deal} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function EndSums({ stage }: { readonly stage: BoardStage }) {
  const { workspace, formatAmount } = useConsole()
  const amounts = sortAmounts(stage.amounts, workspace.currency)
  if (amounts.length === 0) return null
  return (
    <p class={classNames(styles.columnSum, text.soft)}>
      {amounts.map((amount) => (
        <data key={amount.currency}>{formatAmount(amount)}</data>
      ))}
    </p>
  )
}
