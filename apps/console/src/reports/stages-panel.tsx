import type { Currency } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useShell } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import { HorizontalBars } from './charts/horizontal-bars.tsx'
import { inCurrency, useDealLinks } from './deal-link.ts'
import { joinNames } from './join-names.ts'
import { listLargest } from './largest.ts'
import type { usePipelineReport } from './queries.ts'
import { isOfEverybody, type ReportFilters } from './report-filters.ts'
import { type PanelContent, ReportPanel } from './report-panel.tsx'
import { ShowEverybody } from './show-more.tsx'
import { addSums, type DealSum, NO_DEALS, sumStage } from './stage-sums.ts'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'

interface StagesPanelProps {
  readonly filters: ReportFilters
  readonly currency: Currency
  readonly query: ReturnType<typeof usePipelineReport>
}

/** The open deals by stage, as of now. */
export function StagesPanel({ filters, currency, query }: StagesPanelProps) {
  const texts = useReportTexts()
  return (
    <ReportPanel
      title={texts.stages.title}
      query={query}
      content={useStagesContent(filters, currency, query.data)}
      isWide
    />
  )
}

function useStagesContent(
  filters: ReportFilters,
  currency: Currency,
  data: StagesPanelProps['query']['data'],
): PanelContent | undefined {
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  const findResult = useStagesFinding(currency)
  const linkTo = useDealLinks(filters)
  if (!data) return undefined
  const stages = data.report.stages
    .filter(({ type }) => type === 'open')
    .map((stage) => ({ ...stage, sum: sumStage(data.open.groups, stage, currency) }))
  const all = stages.map(({ sum }) => sum).reduce(addSums, NO_DEALS)
  const { columns } = texts
  const table = {
    columns: [
      { label: columns.stage },
      cells.numberColumn(columns.deals),
      cells.moneyColumn(columns.amount),
      cells.moneyColumn(columns.weighted),
    ],
    rows: stages.map(({ id, name, sum }) => ({
      key: id,
      cells: [
        cells.nameCell(name),
        cells.countCell(sum.count, linkTo({ status: 'open', stage: id, conditions: [inCurrency(currency)] })),
        cells.moneyCell(sum.amount),
        cells.moneyCell(sum.weighted),
      ],
    })),
  }
  if (all.count === 0)
    return {
      finding: texts.stages.empty(currency),
      table: { ...table, rows: [] },
      action: isOfEverybody(filters) ? <AddDeal filters={filters} /> : <ShowEverybody />,
    }
  return {
    finding: findResult(stages, all),
    table,
    isPartial: data.open.more,
    chart: (
      <HorizontalBars
        title={texts.stages.title}
        series={[{ name: columns.deals, fill: 'main' }]}
        rows={stages.map(({ id, name, sum }) => ({
          key: id,
          label: name,
          values: [cells.countValue(sum.count)],
          total: cells.formatNumber(sum.count),
        }))}
      />
    ),
  }
}

interface NamedSum {
  readonly name: string
  readonly sum: DealSum
}

function useStagesFinding(currency: Currency): (stages: readonly NamedSum[], all: DealSum) => string {
  const { texts: shared } = useConsole()
  const texts = useReportTexts()
  const { formatNumber, formatMoney } = useReportCells(currency)
  return (stages, all) => {
    const largest = listLargest(stages, ({ sum }) => sum.count)
    const { name = '', sum = NO_DEALS } = largest[0] ?? {}
    const [count, total] = [formatNumber(sum.count), formatNumber(all.count)]
    if (sum.count === all.count) return texts.stages.findingOneStage(name, formatMoney(sum.amount))
    if (largest.length === 1) return texts.stages.finding(name, count, total, formatMoney(sum.amount))
    const names = largest.map((stage) => stage.name)
    return texts.stages.findingTie(joinNames(names, shared.language, texts.others), count, total)
  }
}

function AddDeal({ filters }: { readonly filters: ReportFilters }) {
  const texts = useReportTexts()
  const { openCreate } = useShell()
  return (
    <p>
      <Button icon="plus" onClick={() => openCreate('deals', { pipelineId: filters.pipeline.id })}>
        {texts.stages.add}
      </Button>
    </p>
  )
}
