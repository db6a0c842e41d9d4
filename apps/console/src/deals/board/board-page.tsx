import type { Board, BoardQuery, BoardStage, DealListItem, Pipeline } from '@sales-crm/client'
import { lazy, Suspense } from 'preact/compat'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { sortAmounts } from '../../format/money.ts'
import { usePipelines } from '../../reference/use-pipelines.ts'
import { LoadFault } from '../../shell/load-fault.tsx'
import { Bar, BarEnd, Filters, Hints } from '../../shell/page-parts.tsx'
import { useShell } from '../../shell/shell-context.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import type { CardActions } from '../card-actions.ts'
import { DealFilters } from '../deal-filters.tsx'
import { LostDialog } from '../lost-dialog.tsx'
import { MoveDialog } from '../move-dialog.tsx'
import { NoPipeline } from '../no-pipeline.tsx'
import { PipelineTitle } from '../pipeline-title.tsx'
import { SortMenu } from '../sort-menu.tsx'
import { useDealMoves } from '../use-deal-changes.ts'
import { useDealQuery } from '../use-deal-query.ts'
import { ViewSwitch } from '../view-switch.tsx'
import styles from './board.module.css'
import { BoardColumn } from './board-column.tsx'
import { BoardSkeleton } from './board-skeleton.tsx'
import { EndColumns } from './end-columns.tsx'
import { splitStages, sumOpen } from './move-on-board.ts'
import { StageTabs } from './stage-tabs.tsx'
import { useBoard } from './use-board.ts'
import { useBoardDrag } from './use-board-drag.ts'
import { useBoardKeys } from './use-board-keys.ts'

const FirstDeal = lazy(async () => ({ default: (await import('./first-deal.tsx')).FirstDeal }))

export function BoardPage() {
  const { texts } = useConsole()
  const { pipeline, query, isFiltered } = useDealQuery()
  const pipelines = usePipelines()
  const board = useBoard(pipeline?.id, query)
  if (pipelines.data?.length === 0) return <NoPipeline />
  return (
    <>
      <BoardBar pipeline={pipeline} />
      <Filters>
        <DealFilters />
        {board.data && <Totals board={board.data} />}
      </Filters>
      {board.error && !board.data ? <LoadFault error={board.error} retry={board.refetch} /> : null}
      {!board.data && !board.error && <BoardSkeleton />}
      {board.data && pipeline && (
        <BoardView
          key={board.data.id}
          board={board.data}
          pipeline={pipeline}
          query={query}
          isFiltered={isFiltered}
          isStale={board.isPlaceholderData}
        />
      )}
      <Hints
        keys={[
          [['J', 'K'], texts.shortcuts.next],
          [['←', '→'], texts.labels.stage],
          [['M'], texts.actions.move],
          [['W'], texts.deals.won],
          [['T'], texts.actions.addTask],
          [['Z'], texts.actions.undo],
        ]}
      />
    </>
  )
}

function BoardBar({ pipeline }: { readonly pipeline: Pipeline | undefined }) {
  const { texts } = useConsole()
  const { openCreate } = useShell()
  return (
    <Bar>
      <PipelineTitle pipeline={pipeline} />
      <ViewSwitch view="board" />
      <BarEnd>
        <SortMenu />
        <Button
          look="main"
          icon="plus"
          class={text.deskOnly}
          onClick={() => openCreate('deals', { pipelineId: pipeline?.id })}
        >
          {texts.create.deals} <kbd>C</kbd>
        </Button>
      </BarEnd>
    </Bar>
  )
}

function Totals({ board }: { readonly board: Board }) {
  const { texts, workspace, formatAmount } = useConsole()
  const { open } = splitStages(board.stages)
  const count = open.reduce((sum, stage) => sum + stage.count, 0)
  return (
    <p class={classNames(styles.totals, text.deskOnly)}>
      <span>{texts.deals.open(count)}</span>
      {sortAmounts(sumOpen(open), workspace.currency).map((amount) => (
        <b key={amount.currency}>
          <data>{formatAmount(amount)}</data>
        </b>
      ))}
    </p>
  )
}

interface BoardViewProps {
  readonly board: Board
  readonly pipeline: Pipeline
  readonly query: BoardQuery
  readonly isFiltered: boolean
  /** True while another board is shown until the requested one is there. */
  readonly isStale: boolean
}

function BoardView({ board, pipeline, query, isFiltered, isStale }: BoardViewProps) {
  const { texts } = useConsole()
  const { move } = useDealMoves()
  const [losing, setLosing] = useState<{ deal: DealListItem; stage: BoardStage }>()
  const [moving, setMoving] = useState<DealListItem>()
  const { open, ends } = splitStages(board.stages)
  const moveTo = (deal: DealListItem, stage: BoardStage) =>
    stage.type === 'lost' ? setLosing({ deal, stage }) : move(deal, stage)
  const keys = useBoardKeys(board, { moveTo, chooseStage: setMoving })
  const drag = useBoardDrag(board, moveTo)
  const actions = useCardActions(board.stages, moveTo, setMoving)
  const isEmpty = board.stages.every(({ count }) => count === 0)
  return (
    <>
      <StageTabs stages={board.stages} />
      {isEmpty && isFiltered && <p class={styles.noneFound}>{texts.deals.filters.none}</p>}
      <section
        ref={drag.boardRef}
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
            query={query}
            tabStop={keys.tabStop}
            actions={actions}
            first={
              isEmpty && !isFiltered && index === 0 ? (
                <Suspense fallback={null}>
                  <FirstDeal pipeline={pipeline} stage={stage} />
                </Suspense>
              ) : undefined
            }
          />
        ))}
        <EndColumns stages={ends} isEmpty={isEmpty} />
      </section>
      {losing && <LostDialog {...losing} close={() => setLosing(undefined)} />}
      {moving && (
        <MoveDialog
          deal={moving}
          stages={board.stages}
          choose={(stage) => moveTo(moving, stage)}
          close={() => setMoving(undefined)}
        />
      )}
    </>
  )
}

/** Stays the same while the stages keep their names and order, so that cards are not drawn again. */
function useCardActions(
  stages: readonly BoardStage[],
  moveTo: CardActions['moveTo'],
  chooseStage: CardActions['chooseStage'],
): CardActions {
  const latestMove = useRef(moveTo)
  latestMove.current = moveTo
  const key = stages.map(({ id, name, type }) => `${id} ${type} ${name}`).join('\n')
  return useMemo(
    () => ({ moveTo: (deal, stage) => latestMove.current(deal, stage), chooseStage, stages }),
    [key, chooseStage],
  )
}
