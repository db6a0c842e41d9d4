import type { Currency, FunnelReport } from '@sales-crm/client'
import { HorizontalBars } from './charts/horizontal-bars.tsx'
import { inMonths, useDealLinks } from './deal-link.ts'
import { useFunnel } from './queries.ts'
import type { ReportFilters } from './report-filters.ts'
import { type PanelContent, type PanelProps, ReportPanel } from './report-panel.tsx'
import type { ReportCell, ReportTable } from './report-table.ts'
import { ShowYear } from './show-more.tsx'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'

/** How far the deals came that were created in the period. */
export function FunnelPanel({ filters, currency }: PanelProps) {
  const texts = useReportTexts()
  const query = useFunnel(filters)
  return (
    <ReportPanel
      title={texts.funnel.title}
      query={query}
      content={useFunnelContent(filters, currency, query.data)}
      isWide
    />
  )
}

function useFunnelContent(
  filters: ReportFilters,
  currency: Currency,
  report: FunnelReport | undefined,
): PanelContent | undefined {
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  const table = useFunnelTable(filters, currency, report)
  if (!report || !table) return undefined
  const { stages, won, created } = report
  if (created === 0)
    return {
      finding: texts.funnel.empty,
      table: { ...table, rows: [] },
      action: <ShowYear filters={filters} />,
    }
  const [slowest] = stages
    .filter(({ median_days }) => median_days !== null)
    .toSorted((a, b) => b.median_days! - a.median_days!)
  return {
    finding: [
      texts.funnel.finding(created, cells.formatNumber(won.count)),
      ...(slowest ? [texts.funnel.slowest(slowest.name, slowest.median_days!)] : []),
    ].join(' '),
    table,
    note: texts.funnel.note,
    chart: (
      <HorizontalBars
        title={texts.funnel.title}
        series={[
          { name: texts.funnel.entered, fill: 'main' },
          { name: texts.won.title, fill: 'won' },
        ]}
        rows={[
          ...stages.map(({ id, name, entered }) => ({
            ...{ key: id, label: name, total: cells.formatNumber(entered) },
            values: [cells.countValue(entered), cells.countValue(0)],
          })),
          {
            ...{ key: 'won', label: texts.won.title, total: cells.formatNumber(won.count) },
            values: [cells.countValue(0), cells.countValue(won.count)],
          },
        ]}
      />
    ),
  }
}

function useFunnelTable(
  filters: ReportFilters,
  currency: Currency,
  report: FunnelReport | undefined,
): ReportTable | undefined {
  const linkTo = useDealLinks(filters)
  const created = inMonths('created_at', filters.period.first, filters.period.last)
  const { columns, funnel, none, won: wonTexts } = useReportTexts()
  const { formatNumber, formatShare, nameCell, countCell, numberColumn } = useReportCells(currency)
  if (!report) return undefined
  const numberCell = (value: number | null): ReportCell => ({
    text: value === null ? none : formatNumber(value),
    csv: value ?? '',
  })
  const shareCell = (share: number | null): ReportCell => ({
    text: share === null ? none : formatShare(share),
    csv: share ?? '',
  })
  const { won, stages, lost, open } = report
  return {
    columns: [
      { label: columns.stage },
      ...[funnel.entered, funnel.wentOn, funnel.share, funnel.days, funnel.lostHere, funnel.stillHere].map(
        numberColumn,
      ),
    ],
    rows: [
      ...stages.map((stage) => ({
        key: stage.id,
        cells: [
          nameCell(stage.name),
          ...[countCell(stage.entered), countCell(stage.went_on), shareCell(stage.share)],
          ...[numberCell(stage.median_days), countCell(stage.lost)],
          countCell(stage.open, linkTo({ status: 'open', stage: stage.id, conditions: [created] })),
        ],
      })),
      {
        key: 'won',
        cells: [
          nameCell(wonTexts.title),
          ...[countCell(won.count, linkTo({ status: 'win', conditions: [created] })), numberCell(null)],
          ...[shareCell(won.share), numberCell(won.median_days)],
          countCell(lost, linkTo({ status: 'lost', conditions: [created] })),
          countCell(open, linkTo({ status: 'open', conditions: [created] })),
        ],
      },
    ],
  }
}
