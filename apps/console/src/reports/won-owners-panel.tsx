import type { Currency } from '@sales-crm/client'
import { useMenu } from '../reference/queries.ts'
import { HorizontalBars } from './charts/horizontal-bars.tsx'
import { inCurrency, inMonths, ofOwner, useDealLinks } from './deal-link.ts'
import { useWonOwners } from './queries.ts'
import type { ReportFilters } from './report-filters.ts'
import { type PanelContent, type PanelProps, ReportPanel } from './report-panel.tsx'
import type { ReportTable } from './report-table.ts'
import { ShowYear } from './show-more.tsx'
import { useReportTexts } from './texts.ts'
import { useReportCells } from './use-report-cells.ts'
import { joinWonOwners, type WonOwner } from './won-owners.ts'

const MAX_BARS = 12

/** The won deals by owner, with what each of them has lost. */
export function WonOwnersPanel({ filters, currency }: PanelProps) {
  const texts = useReportTexts()
  const query = useWonOwners(filters)
  return (
    <ReportPanel
      title={texts.wonOwners.title}
      query={query}
      content={useContent(filters, currency, query.data)}
      isWide
    />
  )
}

function useContent(
  filters: ReportFilters,
  currency: Currency,
  data: ReturnType<typeof useWonOwners>['data'],
): PanelContent | undefined {
  const texts = useReportTexts()
  const cells = useReportCells(currency)
  const members = useMenu('members')
  const linkTo = useDealLinks(filters)
  if (!data || members.isPending) return undefined
  const owners = joinWonOwners(data.won.groups, data.lost.groups, currency, members.data ?? []).map(
    (owner) => (owner.id === null ? { ...owner, name: texts.activity.noOwner } : owner),
  )
  const { first, last } = filters.period
  const table = buildTable(owners, cells, texts, (ownerId) =>
    linkTo({
      status: 'win',
      conditions: [inMonths('closed_at', first, last), inCurrency(currency), ofOwner(ownerId)],
    }),
  )
  const [best] = owners
  if (!best) return { finding: texts.won.empty(currency), table, action: <ShowYear filters={filters} /> }
  const scale = cells.createMoneyScale(owners.map(({ amount }) => amount))
  return {
    finding: texts.wonOwners.finding(best.name, cells.formatMoney(best.amount), best.won),
    table,
    note: texts.wonOwners.note(texts.units[scale.unit](currency)),
    isPartial: data.won.more || data.lost.more,
    chart: (
      <HorizontalBars
        title={texts.wonOwners.title}
        series={[{ name: texts.columns.amount, fill: 'won' }]}
        rows={owners.slice(0, MAX_BARS).map(({ id, name, amount }) => {
          const value = scale.value(amount)
          return { key: String(id), label: name, values: [value], total: value.short }
        })}
      />
    ),
  }
}

function buildTable(
  owners: readonly WonOwner[],
  cells: ReturnType<typeof useReportCells>,
  { columns, wonOwners, figures }: ReturnType<typeof useReportTexts>,
  hrefOf: (ownerId: string | null) => string,
): ReportTable {
  return {
    columns: [
      { label: wonOwners.owner },
      cells.numberColumn(columns.deals),
      cells.numberColumn(figures.winRate),
      cells.moneyColumn(wonOwners.average),
      cells.moneyColumn(columns.amount),
    ],
    rows: owners.map(({ id, name, won, lost, amount }) => ({
      key: String(id),
      cells: [
        cells.nameCell(name),
        cells.countCell(won, hrefOf(id)),
        { text: cells.formatShare(won / (won + lost)), csv: won / (won + lost) },
        cells.moneyCell(Math.round(amount / won)),
        cells.moneyCell(amount),
      ],
    })),
  }
}
