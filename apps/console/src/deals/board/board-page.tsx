import type { Board } from '@sales-crm/client'
import { lazy, Suspense } from 'preact/compat'
import { useConsole } from '../../app/console-context.ts'
import { sortAmounts } from '../../format/money.ts'
import { useMenu } from '../../reference/queries.ts'
import { LoadError } from '../../shell/load-boundary.tsx'
import { Bar, BarEnd, Filters } from '../../shell/page-parts.tsx'
import { useShell } from '../../shell/shell-context.ts'
import { TableActions } from '../../table/table-actions.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import { DealFilters } from '../deal-filters.tsx'
import { splitStages, sumOpen } from '../move-on-board.ts'
import { NoPipeline } from '../no-pipeline.tsx'
import { PipelineTitle } from '../pipeline-title.tsx'
import { SortMenu } from '../sort-menu.tsx'
import { type DealQuery, useDealQuery } from '../use-deal-query.ts'
import { ViewSwitch } from '../view-switch.tsx'
import styles from './board.module.css'
import { BoardSkeleton } from './board-skeleton.tsx'
import { BoardView } from './board-view.tsx'
import { useBoard } from './use-board.ts'

// The board comes with the entry: what it does not begin with is loaded after it.
const FilterBar = lazy(async () => ({ default: (await import('../../filters/filter-bar.tsx')).FilterBar }))
const ViewHead = lazy(async () => ({ default: (await import('../../views/view-head.tsx')).ViewHead }))

export function BoardPage() {
  const { pipeline, query, isFiltered } = useDealQuery()
  const pipelines = useMenu('pipelines')
  const board = useBoard(pipeline?.id, query)
  if (pipelines.data?.length === 0) return <NoPipeline />
  return (
    <>
      <BoardBar pipeline={pipeline} query={query} />
      <Filters>
        <DealFilters />
        <Suspense fallback={null}>
          <FilterBar kind="deals" />
        </Suspense>
        {board.data && <Totals board={board.data} />}
      </Filters>
      {board.error && !board.data ? <LoadError error={board.error} retry={board.refetch} /> : null}
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
    </>
  )
}

function BoardBar({ pipeline, query }: Pick<DealQuery, 'pipeline' | 'query'>) {
  const { texts } = useConsole()
  const { openCreate } = useShell()
  const title = <PipelineTitle pipeline={pipeline} />
  return (
    <Bar>
      <Suspense fallback={title}>
        <ViewHead kind="deals" title={title} keepsTitle />
      </Suspense>
      <ViewSwitch view="board" />
      <BarEnd>
        <SortMenu />
        <TableActions kind="deals" exported={{ ...query, pipeline_id: pipeline?.id }} />
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
