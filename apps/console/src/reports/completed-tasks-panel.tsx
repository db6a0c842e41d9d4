import type { Currency } from '@sales-crm/client'
import { HorizontalBars } from './charts/horizontal-bars.tsx'
import { countTypes } from './completed-tasks.ts'
import { useCompletedTasks } from './queries.ts'
import { isOfEverybody, type ReportFilters } from './report-filters.ts'
import { type PanelContent, type PanelProps, ReportPanel } from './report-panel.tsx'
import { ShowEverybody, ShowYear } from './show-more.tsx'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'
import { useShownMembers } from './use-shown-members.ts'

/** The completed tasks by type and month. */
export function CompletedTasksPanel({ filters, currency }: PanelProps) {
  const texts = useReportTexts()
  const query = useCompletedTasks(filters.period)
  return (
    <ReportPanel
      title={texts.tasks.title}
      query={query}
      content={useContent(filters, currency, query.data)}
      isWide
    />
  )
}

function useContent(
  filters: ReportFilters,
  currency: Currency,
  data: ReturnType<typeof useCompletedTasks>['data'],
): PanelContent | undefined {
  const { columns, tasks } = useReportTexts()
  const cells = useReportCells(currency)
  const isShown = useShownMembers(filters)
  if (!data || !isShown) return undefined
  const { months, report } = data
  const types = countTypes(
    report.rows.filter(({ owner }) => isShown(owner?.id ?? null)),
    months,
  ).map((type) => ({ ...type, title: type.title || tasks.noType }))
  const table = {
    columns: [
      { label: columns.type },
      ...months.map((month) => ({ ...cells.numberColumn(cells.months.short(month)), csvLabel: month })),
      cells.numberColumn(columns.total),
    ],
    rows: types.map(({ id, title, counts, total }) => ({
      key: id ?? '',
      cells: [cells.nameCell(title), ...[...counts, total].map((count) => cells.countCell(count))],
    })),
  }
  const [first] = types
  if (!first)
    return {
      finding: tasks.empty,
      table,
      action: isOfEverybody(filters) ? <ShowYear filters={filters} /> : <ShowEverybody />,
    }
  const total = types.reduce((sum, type) => sum + type.total, 0)
  return {
    finding: tasks.finding(first.title, cells.formatNumber(first.total), total),
    table,
    note: tasks.note,
    isPartial: report.more,
    chart: (
      <HorizontalBars
        title={tasks.title}
        series={[{ name: columns.tasks, fill: 'main' }]}
        rows={types.map((type) => ({
          ...{ key: type.id ?? '', label: type.title, values: [cells.countValue(type.total)] },
          total: cells.formatNumber(type.total),
        }))}
      />
    ),
  }
}
