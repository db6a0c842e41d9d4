import type { Board, BoardQuery, BoardStage, DealListItem, Pipeline } from '@sales-crm/client'
import { lazy, Suspense } from 'preact/compat'
import { useConsole } from '../../app/console-context.ts'
import { useViewParams } from '../../app/use-view-params.ts'
import { useLatest } from '../../keyboard/use-latest.ts'
import { buildRecordMenu } from '../../records/record-menu.ts'
import { RecordSelectionBar } from '../../records/record-selection-bar.tsx'
import { type RecordActions, useRecordActions } from '../../records/use-record-actions.tsx'
import { Hints } from '../../shell/page-parts.tsx'
import { usePlaceDefaults } from '../../shell/shell-context.ts'
import { type Selection, useSelection } from '../../table/use-selection.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { MenuGroup } from '../../ui/menu.tsx'
import { splitStages } from '../move-on-board.ts'
import styles from './board.module.css'
import { BoardColumn } from './board-column.tsx'
import type { CardPosition } from './card-position.ts'
import type { DealMenu } from './deal-card.tsx'
import { EndColumns } from './end-columns.tsx'
import { StageTabs } from './stage-tabs.tsx'
import { useBoardDrag } from './use-board-drag.ts'
import { useBoardKeys } from './use-board-keys.ts'
import { useBoardStages } from './use-board-stages.ts'

const FirstDeal = lazy(async () => ({ default: (await import('./first-deal.tsx')).FirstDeal }))

interface BoardViewProps {
  readonly board: Board
  readonly pipeline: Pipeline
  readonly query: BoardQuery
  readonly isFiltered: boolean
  /** True while another board is shown until the requested one is there. */
  readonly isStale: boolean
}

/** The stages of a pipeline with their deals. */
export function BoardView({ board, pipeline, query, isFiltered, isStale }: BoardViewProps) {
  const { texts } = useConsole()
  const { clear } = useViewParams()
  const selection = useSelection<DealListItem>()
  const actions = useRecordActions('deals', selection)
  const menuOf = useCardMenu(actions, selection)
  const { stages, isLoading, loadMore } = useBoardStages(board, query)
  const { open, ends } = splitStages(stages)
  const keys = useBoardKeys({ board, stages: open, selection, moveTo: actions.moveTo })
  const boardRef = useBoardDrag(stages, actions.moveTo)
  usePlaceDefaults({ pipelineId: pipeline.id })
  const isEmpty = board.stages.every(({ count }) => count === 0)
  const first = isEmpty && !isFiltered && open[0] && (
    <Suspense fallback={null}>
      <FirstDeal pipeline={pipeline} stage={open[0]} />
    </Suspense>
  )
  return (
    <>
      <StageTabs stages={stages} />
      {isEmpty && isFiltered && (
        <p class={styles.noneFound}>
          {texts.deals.filters.none}{' '}
          <Button small onClick={clear}>
            {texts.tables.clearFilters}
          </Button>
        </p>
      )}
      <section
        ref={boardRef}
        class={classNames(styles.board, isStale && styles.stale)}
        aria-label={texts.deals.byStage}
        onFocusIn={keys.onFocus}
      >
        {open.map((stage, index) => (
          <BoardColumn
            key={stage.id}
            stage={stage}
            place={{ type: stage.type, at: index + 1, of: open.length }}
            pipelineId={pipeline.id}
            tabStop={keys.tabStop}
            selection={selection}
            menuOf={menuOf}
            isLoading={isLoading(stage.id)}
            loadMore={() => loadMore(stage.id)}
            first={index === 0 && first}
          />
        ))}
        <EndColumns stages={ends} isEmpty={isEmpty} />
      </section>
      <RecordSelectionBar kind="deals" selection={selection} shown={keys.shown} />
      <BoardHints stages={open} position={keys.position} />
    </>
  )
}

/** The menu of a card. The function stays the same, so that cards are not drawn again. */
function useCardMenu(actions: RecordActions, selection: Selection<DealListItem>): DealMenu {
  const console = useConsole()
  const { texts } = console
  return useLatest((deal: DealListItem): readonly MenuGroup[] => [
    {
      actions: [
        {
          label: texts.tables.selectKey,
          icon: 'check',
          shortcut: 'X',
          isChecked: selection.has(deal.id),
          isToggle: true,
          select: () => selection.toggle(deal),
        },
      ],
    },
    ...buildRecordMenu('deals', deal, actions, console),
  ])
}

interface BoardHintsProps {
  readonly stages: readonly BoardStage[]
  readonly position: CardPosition | undefined
}

function BoardHints({ stages, position }: BoardHintsProps) {
  const { texts } = useConsole()
  const stage = position && stages[position.column]
  const deal = stage?.deals[position?.row ?? 0]
  return (
    <Hints
      end={
        position &&
        stage &&
        deal &&
        `${deal.name}, ${stage.name}, ${texts.record.position(String(position.row + 1), String(stage.count))}`
      }
      keys={[
        [['J', 'K'], texts.shortcuts.next],
        [['←', '→'], texts.labels.stage],
        [['M'], texts.actions.move],
        [['W'], texts.deals.won],
        [['T'], texts.actions.addTask],
        [['X'], texts.tables.selectKey],
      ]}
    />
  )
}
