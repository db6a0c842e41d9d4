import type { Currency, LostReasonsReport } from '@sales-crm/client'
import { HorizontalBars } from './charts/horizontal-bars.tsx'
import { inMonths, useDealLinks } from './deal-link.ts'
import { useLostReasons } from './queries.ts'
import type { ReportFilters } from './report-filters.ts'
import { type PanelContent, type PanelProps, ReportPanel } from './report-panel.tsx'
import type { ReportTable } from './report-table.ts'
import { ShowYear } from './show-more.tsx'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'

/** The lost deals by their reasons, and by the stages from which they were lost. */
export function LostReasonsPanel({ filters, currency }: PanelProps) {
  const texts = useReportTexts()
  const query = useLostReasons(filters)
  return (
    <ReportPanel
      title={texts.lost.title}
      query={query}
      content={useContent(filters, currency, query.data)}
      isWide
    />
  )
}

function useContent(
  filters: ReportFilters,
  currency: Currency,
  report: LostReasonsReport | undefined,
): PanelContent | undefined {
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  const linkTo = useDealLinks(filters)
  if (!report) return undefined
  const reasons = report.reasons.map(({ reason, count, amounts, groups }) => ({
    key: reason?.id ?? '',
    name: reason?.name ?? texts.lost.none,
    count,
    amount: amounts.find((each) => each.currency === currency)?.amount ?? 0,
    stage: groups
      .map(({ name, count }) => `${name ?? texts.lost.noStage} ${cells.formatNumber(count)}`)
      .join(', '),
  }))
  const count = reasons.reduce((sum, each) => sum + each.count, 0)
  const closed = inMonths('closed_at', filters.period.first, filters.period.last)
  const table = buildTable(reasons, cells, texts, (id) =>
    linkTo({
      status: 'lost',
      conditions: [
        closed,
        id ? { field: 'lost_reason', op: 'any_of', value: [id] } : { field: 'lost_reason', op: 'is_empty' },
      ],
    }),
  )
  const [first] = reasons
  if (!first) return { finding: texts.lost.empty, table, action: <ShowYear filters={filters} /> }
  return {
    finding: first.key
      ? texts.lost.finding(first.name, cells.formatNumber(first.count), cells.formatNumber(count))
      : texts.lost.findingNone(cells.formatNumber(first.count), cells.formatNumber(count)),
    table,
    note: texts.lost.note(currency),
    isPartial: report.more,
    chart: (
      <HorizontalBars
        title={texts.lost.title}
        series={[{ name: texts.columns.deals, fill: 'main' }]}
        rows={reasons.map(({ key, name, count }) => ({
          ...{ key, label: name, values: [cells.countValue(count)], total: cells.formatNumber(count) },
        }))}
      />
    ),
  }
}

interface ReasonRow {
  readonly key: string
  readonly name: string
  readonly count: number
  readonly amount: number
  /** The stages from which they were lost, with their numbers. */
  readonly stage: string
}

function buildTable(
  reasons: readonly ReasonRow[],
  cells: ReturnType<typeof useReportCells>,
  { columns, lost }: ReturnType<typeof useReportTexts>,
  hrefOf: (reasonId: string) => string,
): ReportTable {
  return {
    columns: [
      { label: lost.reason },
      cells.numberColumn(columns.deals),
      cells.moneyColumn(columns.amount),
      { label: lost.stages },
    ],
    rows: reasons.map(({ key, name, count, amount, stage }) => ({
      key,
      cells: [
        cells.nameCell(name),
        cells.countCell(count, hrefOf(key)),
        cells.moneyCell(amount),
        cells.nameCell(stage),
      ],
    })),
  }
}
