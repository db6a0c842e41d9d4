import type { TargetRow, TargetsReport } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { useViewParams } from '../../app/use-view-params.ts'
import { addMonths, listMonths, type Month } from '../../format/calendar.ts'
import { writeDecimal } from '../../format/money.ts'
import { useMenu } from '../../reference/queries.ts'
import { Chip } from '../../ui/chip.tsx'
import { Menu } from '../../ui/menu.tsx'
import { HorizontalBars } from '../charts/horizontal-bars.tsx'
import { joinNames } from '../join-names.ts'
import { useTargetsReport } from '../queries.ts'
import type { ReportFilters } from '../report-filters.ts'
import { type PanelContent, type PanelProps, ReportPanel } from '../report-panel.tsx'
import type { ReportCell, ReportTable } from '../report-table.ts'
import { useReportTexts } from '../texts.ts'
import { useReportCells } from '../use-report-cells.ts'
import { chooseRows, listOver, shareOfTarget, sumRows } from './target-rows.ts'

const MAX_BARS = 12
const MONTHS_BEFORE = 11
const MONTHS_AFTER = 3
const MONTH_PARAM = 'target_month'

/** The targets of a month, with what was won and is expected. */
export function TargetsPanel({ filters, currency }: PanelProps) {
  const { calendar } = useConsole()
  const texts = useReportTexts()
  const { params } = useViewParams()
  const present = calendar.monthOf(useNow())
  const months = listMonths(addMonths(present, -MONTHS_BEFORE), addMonths(present, MONTHS_AFTER))
  const month = months.find((each) => each === params.get(MONTH_PARAM)) ?? present
  const query = useTargetsReport(month, currency)
  return (
    <ReportPanel
      title={texts.targets.title}
      query={query}
      content={useContent(filters, query.data)}
      choice={<MonthMenu month={month} months={months} present={present} />}
      isWide
      hasManyAmounts
    />
  )
}

interface MonthMenuProps {
  readonly month: Month
  readonly months: readonly Month[]
  readonly present: Month
}

function MonthMenu({ month, months, present }: MonthMenuProps) {
  const texts = useReportTexts()
  const { months: format } = useReportCells('USD')
  const { set } = useViewParams()
  return (
    <Menu
      label={texts.targets.month}
      trigger={
        <Chip aria-label={`${texts.targets.month}: ${format.withYear(month)}`}>{format.withYear(month)}</Chip>
      }
      groups={[
        {
          actions: months.map((each) => ({
            label: format.withYear(each),
            isChecked: each === month,
            select: () => set({ [MONTH_PARAM]: each === present ? undefined : each }),
          })),
        },
      ]}
    />
  )
}

/** The ids of the members whom the filter of the page names; undefined for all. */
function useOwnerIds({ owner }: ReportFilters): ReadonlySet<string> | undefined {
  const members = useMenu('members')
  const teams = useMenu('teams')
  const { owner_email, team_id } = owner
  if (team_id !== undefined) {
    const team = teams.data?.find(({ id }) => id === team_id)
    return new Set(team?.members.map(({ id }) => id))
  }
  if (owner_email === undefined) return undefined
  return new Set(members.data?.flatMap(({ id, email }) => (email === owner_email ? id : [])))
}

function useContent(filters: ReportFilters, report: TargetsReport | undefined): PanelContent | undefined {
  const { texts: shared } = useConsole()
  const texts = useReportTexts()
  const ownerIds = useOwnerIds(filters)
  const currency = report?.currency ?? 'USD'
  const cells = useReportCells(currency)
  if (!report) return undefined
  const rows = chooseRows(report.rows, ownerIds)
  const month = cells.months.withYear(report.month)
  const table = buildTable(rows, cells, texts)
  if (rows.length === 0) return { finding: texts.targets.empty(currency, month), table }
  const total = sumRows(rows)
  const share = shareOfTarget(total)
  const over = listOver(rows)
  const names = joinNames(
    over.map(({ owner }) => owner!.name),
    shared.language,
    texts.others,
  )
  const shown = rows.slice(0, MAX_BARS)
  const scale = cells.createMoneyScale(shown.map(({ target, won, forecast }) => target ?? won + forecast))
  return {
    finding:
      total.target === null || share === null
        ? texts.targets.findingNone(currency, month)
        : [
            texts.targets.finding(
              cells.formatMoney(total.won),
              cells.formatMoney(total.forecast),
              cells.formatShare(share),
              cells.formatMoney(total.target),
            ),
            ...(over.length > 0 ? [texts.targets.over(names, over.length)] : []),
          ].join(' '),
    table,
    note: texts.targets.note,
    chart: (
      <HorizontalBars
        title={texts.targets.title}
        series={[
          { name: texts.targets.won, fill: 'won' },
          { name: texts.targets.forecast, fill: 'middle' },
        ]}
        goal={texts.targets.target}
        rows={shown.map((row) => {
          const share = shareOfTarget(row)
          return {
            ...{ key: row.owner?.id ?? '', label: row.owner?.name ?? texts.activity.noOwner },
            values: [scale.value(row.won), scale.value(row.forecast)],
            goal: row.target === null ? undefined : scale.value(row.target),
            total: share === null ? texts.targets.noTarget : cells.formatShare(share),
          }
        })}
      />
    ),
  }
}

function buildTable(
  rows: readonly TargetRow[],
  cells: ReturnType<typeof useReportCells>,
  { activity, targets }: ReturnType<typeof useReportTexts>,
): ReportTable {
  const toRow = (key: string, name: string, sums: Omit<TargetRow, 'owner'>) => ({
    key,
    cells: [
      cells.nameCell(name),
      cells.moneyCell(sums.won),
      cells.moneyCell(sums.forecast),
      sums.target === null ? { text: targets.noTarget, csv: '' } : cells.moneyCell(sums.target),
      toDifferenceCell(sums.difference, cells),
    ],
  })
  return {
    columns: [
      { label: targets.owner },
      ...[targets.won, targets.forecast, targets.target, targets.difference].map(cells.moneyColumn),
    ],
    rows: [
      ...rows.map((row) => toRow(row.owner?.id ?? '', row.owner?.name ?? activity.noOwner, row)),
      ...(rows.length > 1 ? [toRow('all', targets.all, sumRows(rows))] : []),
    ],
  }
}

/** `+ R$ 23.400`, `− R$ 9.900`. */
function toDifferenceCell(
  difference: number | null,
  { formatMoney, digits }: ReturnType<typeof useReportCells>,
): ReportCell {
  if (difference === null) return { text: '', csv: '' }
  const amount = Math.abs(difference)
  return {
    text: difference === 0 ? formatMoney(0) : `${difference < 0 ? '−' : '+'}\u00a0${formatMoney(amount)}`,
    csv: Number(`${difference < 0 ? '-' : ''}${writeDecimal(amount, digits)}`),
  }
}
