import type { DealListItem, DealQuery, Pipeline } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { includeInRows } from '../app/permissions.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { DEAL_FIELDS } from '../fields/deal-fields.tsx'
import { FilterBar } from '../filters/filter-bar.tsx'
import { RecordSelectionBar } from '../records/record-selection-bar.tsx'
import { listColumnIncludes } from '../table/column.ts'
import { listSource } from '../table/list-source.ts'
import { TablePage } from '../table/table-page.tsx'
import { usePageColumns } from '../table/use-columns.tsx'
import { useListOrder } from '../table/use-list-query.ts'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { DealFilters } from './deal-filters.tsx'
import { DealSums } from './deal-sums.tsx'
import { PipelineTitle } from './pipeline-title.tsx'
import { useDealQuery } from './use-deal-query.ts'
import { ViewSwitch } from './view-switch.tsx'

/** The deals of a pipeline as a table. */
export function DealsTablePage() {
  const { crm, me } = useConsole()
  const { params } = useViewParams()
  const { pipeline, query, isFiltered } = useDealQuery()
  const order = useListOrder('deals', { order_by: 'created_at', order: 'desc' })
  const isSaved = params.has('saved')
  const status = params.get('status') ?? (isSaved ? 'all' : 'open')
  const columns = usePageColumns('deals', DEAL_FIELDS)
  const included = listColumnIncludes(columns, params.get('columns') ?? undefined)
  const listQuery: DealQuery = {
    ...query,
    ...order,
    pipeline_id: isSaved && !params.has('pipeline') ? undefined : pipeline?.id,
    stage_id: params.get('stage') ?? undefined,
    status: status === 'all' ? undefined : (status as 'open'),
    ...includeInRows(me, 'deals', 'next_task', 'stage_entered_at', ...included),
  }
  return (
    <TablePage<DealListItem>
      kind="deals"
      title={<PipelineTitle pipeline={pipeline} />}
      besideTitle={<ViewSwitch view="table" />}
      columns={columns}
      source={listSource('deals', listQuery, order, (page, options) => crm.deals.list(page, options))}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/deals/${id}`}
      foot={<DealSums query={listQuery} />}
      defaults={{ pipelineId: pipeline?.id, stageId: params.get('stage') ?? undefined }}
      exported={listQuery}
      isFiltered={isFiltered || params.has('stage') || (params.has('status') && status !== 'all')}
      filters={<TableFilters pipeline={pipeline} status={status} />}
      selectionBar={(selection, shown) => (
        <RecordSelectionBar kind="deals" selection={selection} shown={shown} />
      )}
    />
  )
}

interface TableFiltersProps {
  readonly pipeline: Pipeline | undefined
  readonly status: string
}

/** The filters of the board, and the status and the stage, which the board shows as columns. */
function TableFilters({ pipeline, status }: TableFiltersProps) {
  const { texts } = useConsole()
  const { params, set } = useViewParams()
  return (
    <>
      <FilterMenu
        label={texts.labels.status}
        value={status}
        anyLabel={texts.tasks.all}
        options={[
          { value: 'open', label: texts.deals.openStatus },
          { value: 'win', label: texts.deals.won },
          { value: 'lost', label: texts.deals.lost },
        ]}
        choose={(value) => set({ status: value === 'open' ? undefined : (value ?? 'all') })}
      />
      <FilterMenu
        label={texts.labels.stage}
        value={params.get('stage') ?? undefined}
        anyLabel={texts.deals.filters.anyStage}
        options={(pipeline?.stages ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        choose={(stage) => set({ stage, ...(stage && { status: 'all' }) })}
      />
      <DealFilters />
      <FilterBar kind="deals" />
    </>
  )
}
