import type { DealListItem, ListDealsParams } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { daysSince } from '../format/dates.ts'
import { StageLabel } from '../reference/stage-label.tsx'
import { BulkBar } from '../table/bulk-bar.tsx'
import type { Column } from '../table/column.ts'
import { OwnerCell } from '../table/contact-columns.tsx'
import { useCustomFieldColumns } from '../table/custom-field-columns.ts'
import { TablePage } from '../table/table-page.tsx'
import { useListOrder } from '../table/use-list-query.ts'
import { PAGE_SIZE } from '../table/use-rows.ts'
import { NextTaskDue } from '../tasks/due.tsx'
import { FilterMenu } from '../ui/filter-menu.tsx'
import text from '../ui/text.module.css'
import { DealFilters } from './deal-filters.tsx'
import { PipelineTitle } from './pipeline-title.tsx'
import { useDealQuery } from './use-deal-query.ts'
import { ViewSwitch } from './view-switch.tsx'

const ORDERS = ['name', 'amount', 'forecast_date', 'created_at', 'updated_at', 'closed_at'] as const

/** The deals of a pipeline as a table. */
export function DealsTablePage() {
  const { crm, texts } = useConsole()
  const { params, set } = useViewParams()
  const { pipeline, query, isFiltered } = useDealQuery()
  const order = useListOrder(ORDERS, { order_by: 'created_at', order: 'desc' })
  const status = params.get('status') ?? 'open'
  const listQuery: ListDealsParams = {
    ...query,
    ...order,
    pipeline_id: pipeline?.id,
    status: status === 'all' ? undefined : (status as 'open'),
    include: 'next_task,stage_entered_at',
  }
  return (
    <TablePage<DealListItem>
      kind="deals"
      title={
        <>
          <PipelineTitle pipeline={pipeline} />
          <ViewSwitch view="table" />
        </>
      }
      columns={useDealColumns()}
      source={{
        queryKey: ['deals', 'list', listQuery],
        order,
        fetchPage: async (page, signal) =>
          await crm.deals.list({ ...listQuery, page, per_page: PAGE_SIZE }, { signal }),
      }}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/deals/${id}`}
      isFiltered={isFiltered || status !== 'all'}
      filters={
        <>
          <FilterMenu
            label={texts.labels.status}
            value={status}
            anyLabel={texts.tasks.all}
            options={[
              { value: 'open', label: texts.tasks.open },
              { value: 'win', label: texts.deals.won },
              { value: 'lost', label: texts.deals.lost },
            ]}
            choose={(value) => set({ status: value === 'open' ? undefined : (value ?? 'all') })}
          />
          <DealFilters />
        </>
      }
      bulk={(selection) => <BulkBar kind="deals" selection={selection} />}
    />
  )
}

function useDealColumns(): readonly Column<DealListItem>[] {
  const { texts, dates, formatAmount } = useConsole()
  const customColumns = useCustomFieldColumns<DealListItem>('deals')
  const { labels } = texts
  const now = new Date()
  const dateColumn = (
    key: 'forecast_date' | 'created_at' | 'updated_at' | 'closed_at',
    label: string,
    isDefault: boolean,
  ): Column<DealListItem> => ({
    key,
    label,
    orderBy: key,
    firstOrder: key === 'forecast_date' ? 'asc' : 'desc',
    isDefault,
    render: (deal) => {
      const date = deal[key]
      return date === null ? '—' : dates.dayWithYear(new Date(date))
    },
  })
  return [
    { key: 'name', label: labels.deal, orderBy: 'name', isDefault: true, render: ({ name }) => name },
    {
      key: 'company',
      label: labels.company,
      isDefault: true,
      render: ({ company }) => company?.full_name ?? '—',
    },
    {
      key: 'stage',
      label: labels.stage,
      isDefault: true,
      render: ({ stage, pipeline }) => stage && <StageLabel stage={stage} pipelineId={pipeline?.id} />,
    },
    {
      key: 'amount',
      label: labels.amount,
      orderBy: 'amount',
      firstOrder: 'desc',
      isNumber: true,
      isDefault: true,
      render: (deal) => (deal.amount > 0 ? formatAmount(deal) : '—'),
    },
    {
      key: 'owner',
      label: labels.owner,
      isDefault: true,
      render: ({ owner }) => <OwnerCell owner={owner} />,
    },
    dateColumn('forecast_date', labels.forecast, true),
    {
      key: 'next_task',
      label: labels.nextTask,
      isDefault: true,
      render: ({ stage, next_task }) =>
        stage?.type === 'open' ? <NextTaskDue task={next_task} /> : <span class={text.soft}>—</span>,
    },
    {
      key: 'in_stage',
      label: labels.inStage,
      isNumber: true,
      isDefault: true,
      render: ({ stage_entered_at }) =>
        stage_entered_at ? texts.deals.days(daysSince(new Date(stage_entered_at), now)) : '—',
    },
    {
      key: 'person',
      label: labels.person,
      isDefault: false,
      render: ({ person }) => person?.full_name ?? '—',
    },
    { key: 'source', label: labels.source, isDefault: false, render: ({ source }) => source ?? '—' },
    dateColumn('created_at', labels.created, false),
    dateColumn('updated_at', labels.updated, false),
    dateColumn('closed_at', labels.closed, false),
    ...customColumns,
  ]
}
