import type { Currency } from '@sales-crm/client'
import { useId } from 'preact/hooks'
import { classNames } from '../ui/class-names.ts'
import skeleton from '../ui/skeleton.module.css'
import text from '../ui/text.module.css'
import { useDelayed } from '../ui/use-delayed.ts'
import { CsvActions } from './csv-actions.tsx'
import type { usePipelineReport } from './queries.ts'
import type { ReportFilters } from './report-filters.ts'
import type { ReportTable } from './report-table.ts'
import styles from './reports.module.css'
import { useReportTexts } from './texts.ts'
import { type Figure, useFigures } from './use-figures.ts'

const DELAY_MS = 200
const COUNT = 4

interface FiguresPanelProps {
  readonly filters: ReportFilters
  readonly currency: Currency
  readonly query: ReturnType<typeof usePipelineReport>
}

export function FiguresPanel({ filters, currency, query }: FiguresPanelProps) {
  const { figures: texts, columns } = useReportTexts()
  const id = useId()
  const figures = useFigures(filters, currency, query.data)
  const table: ReportTable = {
    columns: [{ label: columns.figure }, { label: columns.value }, { label: columns.note }],
    rows: (figures ?? []).map(({ label, csvLabel, csv, note }) => ({
      key: label,
      cells: [csvLabel ?? label, csv, note].map((cell) => ({ text: String(cell), csv: cell })),
    })),
  }
  return (
    <section
      class={classNames(styles.figures, query.isPlaceholderData && styles.stale)}
      aria-labelledby={id}
      aria-busy={query.isPlaceholderData || !figures}
    >
      <h2 id={id} class={text.hidden}>
        {texts.title}
      </h2>
      {figures ? <FigureList figures={figures} /> : <FigureSkeletons />}
      {figures && <CsvActions title={texts.title} table={table} areIcons />}
    </section>
  )
}

function FigureList({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class={styles.figureList}>
      {figures.map(({ label, value, note }) => (
        <div class={styles.figure} key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          <dd class={styles.figureNote}>{note}</dd>
        </div>
      ))}
    </dl>
  )
}

function FigureSkeletons() {
  const isShown = useDelayed(DELAY_MS)
  return (
    <div class={styles.figureList} aria-hidden="true">
      {Array.from({ length: COUNT }, (_, index) => (
        <div class={classNames(styles.figure, styles.figureSkeleton)} key={index}>
          {isShown && <div class={skeleton.line} />}
          {isShown && <div class={skeleton.short} />}
        </div>
      ))}
    </div>
  )
}
