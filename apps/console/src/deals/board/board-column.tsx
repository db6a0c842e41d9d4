import type { BoardStage, DealListItem } from '@sales-crm/client'
import type { ComponentChildren } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { sortAmounts } from '../../format/money.ts'
import { useShell } from '../../shell/shell-context.ts'
import type { Selection } from '../../table/use-selection.ts'
import { IconButton } from '../../ui/button.tsx'
import { EndSentinel } from '../../ui/end-sentinel.tsx'
import { Gauge, type StagePlace } from '../../ui/gauge.tsx'
import text from '../../ui/text.module.css'
import styles from './board.module.css'
import { DealCard, type DealMenu } from './deal-card.tsx'

interface BoardColumnProps {
  readonly stage: BoardStage
  readonly place: StagePlace
  readonly pipelineId: string
  /** Id of the card that the Tab key reaches. */
  readonly tabStop: string | undefined
  readonly selection: Selection<DealListItem>
  readonly menuOf: DealMenu
  readonly isLoading: boolean
  readonly loadMore: () => void
  /** In place of the cards of an empty board. */
  readonly first: ComponentChildren
}

export function BoardColumn(props: BoardColumnProps) {
  const { stage, place, pipelineId, tabStop, selection, menuOf, isLoading, loadMore, first } = props
  const { texts, workspace, formatAmount } = useConsole()
  const { openCreate } = useShell()
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
        {stage.deals.map((deal) => (
          <DealCard
            key={deal.id}
            deal={deal}
            isTabStop={deal.id === tabStop}
            isSelected={selection.has(deal.id)}
            menuOf={menuOf}
          />
        ))}
      </ul>
      {stage.has_more && <EndSentinel label={texts.deals.loadMore} isBusy={isLoading} reach={loadMore} />}
    </section>
  )
}
