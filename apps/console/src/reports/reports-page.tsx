import type { Currency } from '@sales-crm/client'
import { Link } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { useMenu } from '../reference/queries.ts'
import { LoadError } from '../shell/load-boundary.tsx'
import { Bar, BarEnd, pageStyles, usePageTitle } from '../shell/page-parts.tsx'
import { classNames } from '../ui/class-names.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { CompletedTasksPanel } from './completed-tasks-panel.tsx'
import { CurrencySwitch } from './currency-switch.tsx'
import { FiguresPanel } from './figures-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ForecastPanel } from './forecast-panel.tsx'
import { FunnelPanel } from './funnel-panel.tsx'
import { LostReasonsPanel } from './lost-reasons-panel.tsx'
import { usePipelineReport } from './queries.ts'
import { QuietPanel } from './quiet-panel.tsx'
import { type ReportFilters, useReportFilters } from './report-filters.ts'
import { ReportScope } from './report-scope.tsx'
import styles from './reports.module.css'
import { chooseCurrency, listCurrencies } from './stage-sums.ts'
import { StagesPanel } from './stages-panel.tsx'
import { TargetsButton } from './targets/targets-button.tsx'
import { TargetsPanel } from './targets/targets-panel.tsx'
import { WonOwnersPanel } from './won-owners-panel.tsx'
import { WonPanel } from './won-panel.tsx'

export function ReportsPage() {
  const { texts } = useConsole()
  usePageTitle(texts.nav.reports)
  const pipelines = useMenu('pipelines')
  const filters = useReportFilters()
  if (filters) return <Reports filters={filters} />
  return (
    <>
      <Bar>
        <h1>{texts.nav.reports}</h1>
      </Bar>
      {pipelines.error ? <LoadError error={pipelines.error} retry={pipelines.refetch} /> : null}
      {pipelines.data && <NoPipeline />}
    </>
  )
}

function Reports({ filters }: { readonly filters: ReportFilters }) {
  const { texts, workspace } = useConsole()
  const { params } = useViewParams()
  const query = usePipelineReport(filters)
  const currencies = query.data ? listCurrencies(query.data.report, workspace.currency) : []
  const currency = chooseCurrency(params.get('currency'), currencies, workspace.currency)
  return (
    <>
      <Bar>
        <h1>{texts.nav.reports}</h1>
        <BarEnd>
          <CurrencySwitch currencies={currencies} currency={currency} />
          <TargetsButton currency={currency} />
        </BarEnd>
      </Bar>
      <FilterBar filters={filters} />
      {query.error && !query.data ? (
        <LoadError error={query.error} retry={query.refetch} />
      ) : (
        <Panels filters={filters} currency={currency} query={query} />
      )}
    </>
  )
}

interface PanelsProps {
  readonly filters: ReportFilters
  readonly currency: Currency
  readonly query: ReturnType<typeof usePipelineReport>
}

function Panels({ filters, currency, query }: PanelsProps) {
  return (
    <div class={classNames(pageStyles.scroll, styles.scroll)}>
      <ReportScope />
      <div class={styles.reports}>
        <FiguresPanel filters={filters} currency={currency} query={query} />
        <TargetsPanel filters={filters} currency={currency} />
        <StagesPanel filters={filters} currency={currency} query={query} />
        <FunnelPanel filters={filters} currency={currency} />
        <WonPanel filters={filters} currency={currency} />
        <ForecastPanel filters={filters} currency={currency} />
        <WonOwnersPanel filters={filters} currency={currency} />
        <LostReasonsPanel filters={filters} currency={currency} />
        <ActivityPanel filters={filters} currency={currency} />
        <CompletedTasksPanel filters={filters} currency={currency} />
        <QuietPanel currency={currency} query={query} />
      </div>
    </div>
  )
}

function NoPipeline() {
  const { me, texts } = useConsole()
  return (
    <p class={pageStyles.state}>
      {texts.deals.noPipeline}{' '}
      {isAdmin(me) && <Link href="/settings/pipelines">{texts.deals.makePipeline}</Link>}
    </p>
  )
}
