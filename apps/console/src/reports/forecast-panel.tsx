import type { Currency } from '@sales-crm/client'
import { BarChart } from './charts/bar-chart.tsx'
import { buildForecastRows, type ForecastKey, type ForecastRow, isMonth } from './forecast-months.ts'
import { listLargest } from './largest.ts'
import { useForecast } from './queries.ts'
import { type PanelContent, type PanelProps, ReportPanel } from './report-panel.tsx'
import { sumDeals } from './stage-sums.ts'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'

/** The open deals by forecast month, as of now. */
export function ForecastPanel({ filters, currency }: PanelProps) {
  const texts = useReportTexts()
  const query = useForecast(filters)
  return (
    <ReportPanel
      title={texts.forecast.title}
      query={query}
      content={useForecastContent(currency, query.data)}
    />
  )
}

function useForecastContent(
  currency: Currency,
  data: ReturnType<typeof useForecast>['data'],
): PanelContent | undefined {
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  const findResult = useForecastFinding(currency)
  if (!data) return undefined
  const whole = sumDeals(data.all, data.stages, currency)
  const dated = data.dated.map(({ key, groups }) => ({ key, sum: sumDeals(groups, data.stages, currency) }))
  const rows = buildForecastRows(dated, whole)
  const scale = cells.createMoneyScale(rows.map(({ sum }) => sum.amount))
  const labels: Readonly<Record<string, string>> = {
    past: texts.forecast.past,
    later: texts.forecast.later,
    none: texts.forecast.noDate,
  }
  const labelOf = (key: ForecastKey) => labels[key] ?? cells.months.withYear(key)
  const { columns } = texts
  const table = {
    columns: [
      { label: columns.month },
      cells.numberColumn(columns.deals),
      cells.moneyColumn(columns.amount),
      cells.moneyColumn(columns.weighted),
    ],
    rows: rows.map(({ key, sum }) => ({
      key,
      cells: [
        { text: labelOf(key), csv: isMonth(key) ? key : labelOf(key) },
        cells.countCell(sum.count),
        cells.moneyCell(sum.amount),
        cells.moneyCell(sum.weighted),
      ],
    })),
  }
  if (whole.count === 0) return { finding: texts.forecast.empty(currency), table: { ...table, rows: [] } }
  return {
    finding: findResult(rows),
    table,
    note: texts.forecast.note(texts.units[scale.unit](currency)),
    isPartial: data.isPartial,
    chart: (
      <BarChart
        title={texts.forecast.title}
        series={[
          { name: columns.amount, fill: 'soft' },
          { name: columns.weighted, fill: 'main' },
        ]}
        rows={rows.map(({ key, sum }) => ({
          key,
          label: labels[key] ?? cells.months.short(key),
          values: [scale.value(sum.amount), scale.value(sum.weighted)],
        }))}
        formatTick={scale.formatTick}
        minStep={scale.minStep}
      />
    ),
  }
}

/** What is past its date needs an act; otherwise the largest month is said. */
function useForecastFinding(currency: Currency): (rows: readonly ForecastRow[]) => string {
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  return (rows) => {
    const past = rows.find(({ key }) => key === 'past')?.sum
    if (past) return texts.forecast.findingPast(cells.formatMoney(past.amount), past.count)
    const months = rows.filter(({ key, sum }) => isMonth(key) && sum.count > 0)
    const [largest] = listLargest(months, ({ sum }) => sum.amount)
    if (!largest) return texts.forecast.undated
    const { amount, weighted } = largest.sum
    return texts.forecast.finding(
      cells.formatMoney(amount),
      cells.formatMoney(weighted),
      cells.months.withYear(largest.key),
    )
  }
}
