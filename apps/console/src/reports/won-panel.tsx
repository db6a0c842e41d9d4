import type { Currency } from '@sales-crm/client'
import { BarChart } from './charts/bar-chart.tsx'
import { inCurrency, inMonths, useDealLinks } from './deal-link.ts'
import { listLargest } from './largest.ts'
import { useWonMonths } from './queries.ts'
import type { ReportFilters } from './report-filters.ts'
import { type PanelContent, type PanelProps, ReportPanel } from './report-panel.tsx'
import type { ReportTable } from './report-table.ts'
import { ShowYear } from './show-more.tsx'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'

/** The won deals by month of closing. */
export function WonPanel({ filters, currency }: PanelProps) {
  const texts = useReportTexts()
  const query = useWonMonths(filters)
  return (
    <ReportPanel
      title={texts.won.title}
      query={query}
      content={useWonContent(filters, currency, query.data)}
    />
  )
}

function useWonContent(
  filters: ReportFilters,
  currency: Currency,
  data: ReturnType<typeof useWonMonths>['data'],
): PanelContent | undefined {
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  const linkTo = useDealLinks(filters)
  if (!data) return undefined
  const months = data.months.map((month) => {
    const group = data.won.groups.find((each) => each.key === month && each.currency === currency)
    return { month, count: group?.count ?? 0, amount: group?.value ?? 0 }
  })
  const count = months.reduce((sum, each) => sum + each.count, 0)
  const amount = months.reduce((sum, each) => sum + each.amount, 0)
  const wonMonths = months.filter((each) => each.count > 0)
  const [best] = listLargest(wonMonths, (each) => each.amount)
  const scale = cells.createMoneyScale(months.map((each) => each.amount))
  const table = buildTable(months, cells, texts.columns, (month) =>
    linkTo({ status: 'win', conditions: [inMonths('closed_at', month), inCurrency(currency)] }),
  )
  if (!best)
    return {
      finding: texts.won.empty(currency),
      table: { ...table, rows: [] },
      action: <ShowYear filters={filters} />,
    }
  return {
    finding:
      wonMonths.length === 1
        ? texts.won.findingOneMonth(cells.formatMoney(amount), count, cells.months.withYear(best.month))
        : texts.won.finding(
            cells.formatMoney(amount),
            count,
            cells.months.withYear(best.month),
            cells.formatMoney(best.amount),
          ),
    table,
    note: texts.won.note(texts.units[scale.unit](currency)),
    isPartial: data.won.more,
    chart: (
      <BarChart
        title={texts.won.title}
        series={[{ name: texts.columns.amount, fill: 'won' }]}
        rows={months.map((each) => ({
          key: each.month,
          label: cells.months.short(each.month),
          values: [scale.value(each.amount)],
        }))}
        formatTick={scale.formatTick}
        minStep={scale.minStep}
      />
    ),
  }
}

interface WonMonth {
  readonly month: string
  readonly count: number
  readonly amount: number
}

function buildTable(
  months: readonly WonMonth[],
  cells: ReturnType<typeof useReportCells>,
  columns: ReturnType<typeof useReportTexts>['columns'],
  hrefOf: (month: string) => string,
): ReportTable {
  return {
    columns: [{ label: columns.month }, cells.numberColumn(columns.deals), cells.moneyColumn(columns.amount)],
    rows: months.map((each) => ({
      key: each.month,
      cells: [
        { text: cells.months.withYear(each.month), csv: each.month },
        cells.countCell(each.count, hrefOf(each.month)),
        cells.moneyCell(each.amount),
      ],
    })),
  }
}
