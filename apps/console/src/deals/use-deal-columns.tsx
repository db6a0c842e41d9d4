import type { DealListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { daysSince } from '../format/dates.ts'
import { collapseSpaces } from '../format/single-line.ts'
import { editableMoney, exampleAmount, parseMoney } from '../format/typed-money.ts'
import { StageLabel } from '../reference/stage-label.tsx'
import type { Column } from '../table/column.ts'
import { OwnerCell } from '../table/contact-columns.tsx'
import { useCustomFieldColumns } from '../table/custom-field-columns.ts'
import { EditableCell } from '../table/editable-cell.tsx'
import { NextTaskDue } from '../tasks/due.tsx'

type DealColumn = Column<DealListItem>

/** The columns of a table of deals. */
export function useDealColumns(): readonly DealColumn[] {
  const { texts } = useConsole()
  const customColumns = useCustomFieldColumns<DealListItem>('deals')
  const now = new Date()
  const { labels } = texts
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
    useAmountColumn(),
    {
      key: 'owner',
      label: labels.owner,
      isDefault: true,
      render: ({ owner }) => <OwnerCell owner={owner} />,
    },
    useForecastColumn(),
    {
      key: 'next_task',
      label: labels.nextTask,
      isDefault: true,
      render: ({ stage, next_task }) => (stage?.type === 'open' ? <NextTaskDue task={next_task} /> : '—'),
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
    useSourceColumn(),
    ...useDateColumns(),
    ...customColumns,
  ]
}

function useAmountColumn(): DealColumn {
  const { texts, workspace, formatAmount } = useConsole()
  return {
    key: 'amount',
    label: texts.labels.amount,
    orderBy: 'amount',
    firstOrder: 'desc',
    isNumber: true,
    isDefault: true,
    render: (deal) => (
      <EditableCell
        kind="deals"
        id={deal.id}
        label={texts.labels.amount}
        display={deal.amount > 0 ? formatAmount(deal) : undefined}
        text={editableMoney(deal, workspace.locale)}
        inputMode="decimal"
        edit={(text) => {
          const amount = parseMoney(text, deal.currency, workspace.locale)
          return amount === undefined
            ? texts.faults.notAnAmount(deal.currency, exampleAmount(deal.currency, workspace.locale))
            : { changes: { amount }, shown: { amount } }
        }}
      />
    ),
  }
}

function useForecastColumn(): DealColumn {
  const { texts, dates, calendar } = useConsole()
  return {
    key: 'forecast_date',
    label: texts.labels.forecast,
    orderBy: 'forecast_date',
    isDefault: true,
    render: ({ id, forecast_date }) => {
      const date = forecast_date === null ? undefined : new Date(forecast_date)
      return (
        <EditableCell
          kind="deals"
          id={id}
          label={texts.labels.forecast}
          display={date && dates.dayWithYear(date)}
          text={date ? calendar.dayOf(date) : ''}
          type="date"
          edit={(text) => {
            const next = calendar.readDate(text)?.toISOString() ?? null
            return { changes: { forecast_date: next }, shown: { forecast_date: next } }
          }}
        />
      )
    },
  }
}

function useSourceColumn(): DealColumn {
  const { texts } = useConsole()
  return {
    key: 'source',
    label: texts.labels.source,
    isDefault: false,
    render: ({ id, source }) => (
      <EditableCell
        kind="deals"
        id={id}
        label={texts.labels.source}
        display={source ?? undefined}
        text={source ?? ''}
        edit={(text) => {
          const value = collapseSpaces(text) || null
          return { changes: { source: value }, shown: { source: value } }
        }}
      />
    ),
  }
}

function useDateColumns(): readonly DealColumn[] {
  const { texts, dates } = useConsole()
  const { created, updated, closed } = texts.labels
  const labels = { created_at: created, updated_at: updated, closed_at: closed }
  return (['created_at', 'updated_at', 'closed_at'] as const).map((key) => ({
    key,
    label: labels[key],
    orderBy: key,
    firstOrder: 'desc',
    isDefault: false,
    render: (deal) => {
      const date = deal[key]
      return date === null ? '—' : dates.dayWithYear(new Date(date))
    },
  }))
}
