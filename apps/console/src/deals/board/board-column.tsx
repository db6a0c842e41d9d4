import type { BoardQuery, BoardStage } from '@sales-crm/client'
import type { ComponentChildren } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { sortAmounts } from '../../format/money.ts'
import { useShell } from '../../shell/shell-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { EndSentinel } from '../../ui/end-sentinel.tsx'
import { Gauge, type StagePlace } from '../../ui/gauge.tsx'
import text from '../../ui/text.module.css'
import type { CardActions } from '../card-actions.ts'
import styles from './board.module.css'
import { DealCard } from './deal-card.tsx'
import { useMoreDeals } from './use-more-deals.ts'

interface BoardColumnProps {
  readonly stage: BoardStage
  readonly place: StagePlace
  readonly pipelineId: string
  readonly query: BoardQuery
  /** Id of the card that the Tab key reaches. */
  readonly tabStop: string | undefined
  readonly actions: CardActions
  /** In place of the cards of an empty board. */
  readonly first: ComponentChildren
}

export function BoardColumn({ stage, place, pipelineId, query, tabStop, actions, first }: BoardColumnProps) {
  const { texts, workspace, formatAmount } = useConsole()
  const { openCreate } = useShell()
  const more = useMoreDeals(stage, query)
  const headingId = `stage-${stage.id}`
  return (
    <section
      class={styles.column}
      aria-labelledby={headingId}
      data-stage={stage.id}
      id={`column-${stage.id}`}
    >
      <header class={styles.columnHead}>
        <Gauge {...place} />
        <h2 id={headingId}>
          {stage.name} <span class={text.count}>{stage.count}</span>
        </h2>
        <IconButton
          small
          icon="plus"
          label={texts.deals.addIn(stage.name)}
          onClick={() => openCreate('deals', { pipelineId, stageId: stage.id })}
        />
        <p class={styles.columnSum}>
          {sortAmounts(stage.amounts, workspace.currency).map((amount) => (
            <data key={amount.currency}>{formatAmount(amount)}</data>
          ))}
        </p>
      </header>
      {first}
      <ul class={styles.cards}>
        {[...stage.deals, ...more.deals].map((deal) => (
          <DealCard key={deal.id} deal={deal} isTabStop={deal.id === tabStop} actions={actions} />
        ))}
      </ul>
      {more.hasMore && <EndSentinel label={texts.deals.loadMore} isBusy={more.isLoading} reach={more.load} />}
    </section>
  )
}
