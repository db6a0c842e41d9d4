import type { Currency, PipelineReport } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { daysSince } from '../format/dates.ts'
import type { usePipelineReport } from './queries.ts'
import { type PanelContent, ReportPanel } from './report-panel.tsx'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'

interface QuietPanelProps {
  readonly currency: Currency
  readonly query: ReturnType<typeof usePipelineReport>
}

/** The open deals without activity, the longest first. */
export function QuietPanel({ currency, query }: QuietPanelProps) {
  const texts = useReportTexts()
  return (
    <ReportPanel
      title={texts.quiet.title}
      query={query}
      content={useQuietContent(currency, query.data?.report.quiet)}
      isWide
      hasLongNames
    />
  )
}

function useQuietContent(
  currency: Currency,
  quiet: PipelineReport['quiet'] | undefined,
): PanelContent | undefined {
  const { dates } = useConsole()
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  const now = useNow()
  if (!quiet) return undefined
  const deals = quiet.deals
    .map(({ last_activity_at, ...deal }) => ({ ...deal, last: new Date(last_activity_at) }))
    .toSorted((a, b) => a.last.getTime() - b.last.getTime())
  const first = deals[0]
  const { columns } = texts
  return {
    finding: first
      ? texts.quiet.finding(quiet.count, first.name, daysSince(first.last, now))
      : texts.quiet.empty,
    note: [texts.quiet.note, quiet.count > deals.length && texts.quiet.shown(deals.length)]
      .filter(Boolean)
      .join(' '),
    table: {
      columns: [
        { label: columns.deal },
        { label: columns.lastActivity, isNumber: true },
        { label: columns.quiet, csvLabel: columns.quietDays, isNumber: true },
      ],
      rows: deals.map(({ id, name, last }) => ({
        key: id,
        cells: [
          { ...cells.nameCell(name), href: `/deals/${id}` },
          { text: dates.day(last, now), csv: last.toISOString(), title: dates.full(last) },
          {
            text: texts.quiet.days(cells.formatNumber(daysSince(last, now))),
            csv: daysSince(last, now),
          },
        ],
      })),
    },
  }
}
