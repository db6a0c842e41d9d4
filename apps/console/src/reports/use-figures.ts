import type { Currency, PipelineReport } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import type { CsvCell } from './csv.ts'
import { type usePipelineReport, usePreviousMedian } from './queries.ts'
import type { ReportFilters } from './report-filters.ts'
import { listCurrencies, sumDeals } from './stage-sums.ts'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'

export interface Figure {
  readonly label: string
  readonly value: string
  readonly note: string
  /** The label in CSV, if it needs a unit. */
  readonly csvLabel?: string
  readonly csv: CsvCell
}

/** The figures at the top: the open amounts of one currency, and how the deals of all currencies ended. */
export function useFigures(
  filters: ReportFilters,
  currency: Currency,
  data: ReturnType<typeof usePipelineReport>['data'],
): readonly Figure[] | undefined {
  const { workspace } = useConsole()
  const { figures: texts } = useReportTexts()
  const cells = useReportCells(currency)
  const previous = usePreviousMedian(filters)
  const closing = useClosingFigures(filters, previous.data)
  if (!data) return undefined
  const { report, open } = data
  const { count, amount, weighted } = sumDeals(open.groups, report.stages, currency)
  const hasOthers = listCurrencies(report, workspace.currency).length > 1
  const buildMoney = (label: string, minor: number, note: string): Figure => ({
    label,
    value: cells.formatMoney(minor),
    note,
    csvLabel: `${label} (${currency})`,
    csv: cells.moneyCell(minor).csv,
  })
  return [
    buildMoney(texts.open, amount, hasOthers ? texts.openNoteIn(count, currency) : texts.openNote(count)),
    buildMoney(texts.weighted, weighted, texts.weightedNote),
    ...closing(report, hasOthers),
  ]
}

type ClosingFigures = (report: PipelineReport, hasOthers: boolean) => readonly [Figure, Figure]

/** @param previous the median of the period before; undefined until it is loaded */
function useClosingFigures({ period }: ReportFilters, previous: number | null | undefined): ClosingFigures {
  const { workspace, formatNumber } = useConsole()
  const { figures: texts, none, allCurrencies } = useReportTexts()
  const { months, formatShare } = useReportCells(workspace.currency)
  const range = months.range(period.previous.first, period.previous.last)
  const before =
    previous === null
      ? texts.noneWonBefore(range)
      : previous !== undefined && texts.medianBefore(formatNumber(previous), range)
  return ({ win_rate, median_days_to_close, won, lost }, hasOthers) => {
    const scope = hasOthers && allCurrencies
    const join = (...notes: readonly (string | false)[]) => notes.filter(Boolean).join(', ')
    const closed = texts.winRateNote(formatNumber(won.count), formatNumber(lost.count))
    return [
      {
        label: texts.winRate,
        value: win_rate === null ? none : formatShare(win_rate),
        note: win_rate === null ? texts.noneClosed : join(closed, scope),
        csv: win_rate ?? '',
      },
      {
        label: texts.median,
        value: median_days_to_close === null ? none : formatNumber(median_days_to_close),
        note: median_days_to_close === null ? texts.noneWon : join(before, scope),
        csv: median_days_to_close ?? '',
      },
    ]
  }
}
