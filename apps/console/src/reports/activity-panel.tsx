import type { Aggregate, CompletedTasksReport, Currency } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useMenu } from '../reference/queries.ts'
import { HorizontalBars } from './charts/horizontal-bars.tsx'
import { countMembers } from './completed-tasks.ts'
import { joinNames } from './join-names.ts'
import { listLargest } from './largest.ts'
import { joinActivity, type MemberActivity, splitOthers, total } from './member-activity.ts'
import { useCompletedTasks, useMemberActivities } from './queries.ts'
import { isOfEverybody, type ReportFilters } from './report-filters.ts'
import { type PanelContent, type PanelProps, type PanelQuery, ReportPanel } from './report-panel.tsx'
import { ShowEverybody, ShowYear } from './show-more.tsx'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'
import { useShownMembers } from './use-shown-members.ts'

const MAX_BARS = 12

/** What each member did in the period. */
export function ActivityPanel({ filters, currency }: PanelProps) {
  const texts = useReportTexts()
  const activities = useMemberActivities(filters.period)
  const tasks = useCompletedTasks(filters.period)
  const rows = useMemberRows(filters, activities.data?.groups, tasks.data?.report.rows)
  return (
    <ReportPanel
      title={texts.activity.title}
      query={joinQueries(activities, tasks)}
      content={useActivityContent(filters, currency, rows, activities.data?.more || tasks.data?.report.more)}
      isWide
    />
  )
}

function joinQueries(one: PanelQuery, other: PanelQuery): PanelQuery {
  return {
    error: one.error ?? other.error,
    isPlaceholderData: one.isPlaceholderData || other.isPlaceholderData,
    refetch: () => [one.refetch(), other.refetch()],
  }
}

/** The rows of the filtered owner, or of all members. */
function useMemberRows(
  filters: ReportFilters,
  activities: Aggregate['groups'] | undefined,
  tasks: CompletedTasksReport['rows'] | undefined,
): readonly MemberActivity[] | undefined {
  const members = useMenu('members')
  const isShown = useShownMembers(filters)
  const texts = useReportTexts()
  if (!activities || !tasks || !isShown) return undefined
  return joinActivity(activities, countMembers(tasks), members.data ?? [])
    .filter(({ id }) => isShown(id))
    .map((row) => (row.id === null ? { ...row, name: texts.activity.noOwner } : row))
}

function useActivityContent(
  filters: ReportFilters,
  currency: Currency,
  rows: readonly MemberActivity[] | undefined,
  isPartial: boolean | undefined,
): PanelContent | undefined {
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  const findResult = useActivityFinding()
  if (!rows) return undefined
  const { columns, activity } = texts
  const table = {
    columns: [
      { label: columns.member },
      cells.numberColumn(columns.activities),
      cells.numberColumn(columns.tasks),
    ],
    rows: rows.map((row) => ({
      key: String(row.id),
      cells: [cells.nameCell(row.name), cells.countCell(row.activities), cells.countCell(row.tasks)],
    })),
  }
  if (rows.length === 0)
    return {
      finding: activity.empty,
      table,
      action: isOfEverybody(filters) ? <ShowYear filters={filters} /> : <ShowEverybody />,
    }
  return {
    finding: findResult(rows),
    table,
    note: activity.note,
    ...(isPartial !== undefined && { isPartial }),
    chart: <ActivityChart rows={rows} currency={currency} />,
  }
}

function useActivityFinding(): (rows: readonly MemberActivity[]) => string {
  const { texts: shared } = useConsole()
  const { activity, others } = useReportTexts()
  return (rows) => {
    const members = rows.filter(({ id }) => id !== null)
    const largest = listLargest(members, total)
    const [first = rows[0]] = largest
    if (!first) return activity.empty
    if (first.id === null) return activity.findingNobody(first.activities, first.tasks)
    if (rows.length === 1) return activity.findingOne(first.name, first.activities, first.tasks)
    if (largest.length === 1) return activity.finding(first.name, first.activities, first.tasks)
    const names = largest.map(({ name }) => name)
    return activity.findingTie(joinNames(names, shared.language, others), total(first))
  }
}

interface ActivityChartProps {
  readonly rows: readonly MemberActivity[]
  readonly currency: Currency
}

/** The bars of the most active members, and one for the others. */
function ActivityChart({ rows, currency }: ActivityChartProps) {
  const allTexts = useReportTexts()
  const { activity, columns } = allTexts
  const cells = useReportCells(currency)
  const { shown, others } = splitOthers(rows, MAX_BARS)
  const rest: readonly MemberActivity[] =
    others.length === 0
      ? []
      : [
          {
            id: 'others',
            name: allTexts.others(others.length),
            activities: others.reduce((sum, row) => sum + row.activities, 0),
            tasks: others.reduce((sum, row) => sum + row.tasks, 0),
          },
        ]
  return (
    <HorizontalBars
      title={activity.title}
      series={[
        { name: columns.activities, fill: 'main' },
        { name: columns.tasks, fill: 'middle' },
      ]}
      rows={[...shown, ...rest].map((row) => ({
        key: String(row.id),
        label: row.name,
        values: [cells.countValue(row.activities), cells.countValue(row.tasks)],
        total: cells.formatNumber(total(row)),
      }))}
    />
  )
}
