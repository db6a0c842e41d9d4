import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { OwnerFilter } from '../reference/owner-filter.tsx'
import { useMenu } from '../reference/queries.ts'
import { Filters } from '../shell/page-parts.tsx'
import { Chip } from '../ui/chip.tsx'
import { Menu } from '../ui/menu.tsx'
import { MonthFormat } from './month-format.ts'
import { buildPeriod, DEFAULT_PERIOD, PERIODS } from './period.ts'
import type { ReportFilters } from './report-filters.ts'
import styles from './reports.module.css'
import { useReportTexts } from './texts.ts'

/** Chooses the pipeline, the period and the owner of the reports. */
export function FilterBar({ filters }: { readonly filters: ReportFilters }) {
  const texts = useReportTexts()
  return (
    <Filters>
      <PipelineMenu filters={filters} />
      <PeriodMenu filters={filters} />
      <OwnerFilter />
      <p class={styles.lead}>{texts.lead}</p>
    </Filters>
  )
}

function PipelineMenu({ filters }: { readonly filters: ReportFilters }) {
  const { texts } = useConsole()
  const { set } = useViewParams()
  const pipelines = useMenu('pipelines')
  return (
    <Menu
      label={texts.labels.pipeline}
      trigger={
        <Chip on aria-label={`${texts.labels.pipeline}: ${filters.pipeline.name}`}>
          <span class={styles.chipText}>{filters.pipeline.name}</span>
        </Chip>
      }
      groups={[
        {
          actions: (pipelines.data ?? []).map(({ id, name }) => ({
            label: name,
            isChecked: id === filters.pipeline.id,
            select: () => set({ pipeline: id }),
          })),
        },
      ]}
    />
  )
}

function PeriodMenu({ filters }: { readonly filters: ReportFilters }) {
  const { texts: shared, calendar } = useConsole()
  const texts = useReportTexts()
  const { set } = useViewParams()
  const months = new MonthFormat(shared.language)
  const { first, last } = filters.period
  const range = months.range(first, last)
  return (
    <Menu
      label={texts.period}
      trigger={
        <Chip on icon="calendar" aria-label={`${texts.period}: ${range}`}>
          {range}
        </Chip>
      }
      groups={[
        {
          actions: PERIODS.map((name) => {
            const period = buildPeriod(name, new Date(), calendar)
            return {
              label: texts.periods[name],
              isChecked: name === filters.periodName,
              after: months.range(period.first, period.last),
              select: () => set({ period: name === DEFAULT_PERIOD ? undefined : name }),
            }
          }),
        },
      ]}
    />
  )
}
