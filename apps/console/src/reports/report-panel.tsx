import type { Currency } from '@sales-crm/client'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { LoadError } from '../shell/load-boundary.tsx'
import { classNames } from '../ui/class-names.ts'
import skeleton from '../ui/skeleton.module.css'
import { useDelayed } from '../ui/use-delayed.ts'
import { CsvActions } from './csv-actions.tsx'
import { PanelTable } from './panel-table.tsx'
import type { ReportFilters } from './report-filters.ts'
import type { ReportTable } from './report-table.ts'
import styles from './reports.module.css'
import { useReportTexts } from './texts.ts'

const DELAY_MS = 200

/** A query, as far as its panel shows how it goes. */
export interface PanelQuery {
  readonly error: unknown
  readonly isPlaceholderData: boolean
  readonly refetch: () => unknown
}

export interface PanelContent {
  /** One sentence that says what the figures mean. */
  readonly finding: string
  readonly table: ReportTable
  readonly chart?: ComponentChildren
  /** What is counted. */
  readonly note?: string
  /** True if the service left groups out. */
  readonly isPartial?: boolean
  /** What to do where there is nothing to show. */
  readonly action?: ComponentChildren
}

/** What the panels of a pipeline show. */
export interface PanelProps {
  readonly filters: ReportFilters
  /** Of the amounts. */
  readonly currency: Currency
}

interface ReportPanelProps {
  readonly title: string
  readonly query: PanelQuery
  /** Undefined until it is loaded. */
  readonly content: PanelContent | undefined
  /** The whole width, with the chart beside the table. */
  readonly isWide?: boolean
  readonly hasLongNames?: boolean
  /** As in `PanelTable`. */
  readonly hasManyAmounts?: boolean
  /** What is chosen for this panel alone. */
  readonly choice?: ComponentChildren
}

export function ReportPanel({ title, query, content, isWide, choice, ...tableProps }: ReportPanelProps) {
  const id = useId()
  const hasRows = content !== undefined && content.table.rows.length > 0
  return (
    <section
      class={classNames(styles.panel, isWide && styles.wide, query.isPlaceholderData && styles.stale)}
      aria-labelledby={id}
      aria-busy={query.isPlaceholderData || content === undefined}
    >
      <header class={styles.head}>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {choice}
        {hasRows && <CsvActions title={title} table={content.table} />}
        {content && <p>{content.finding}</p>}
      </header>
      {content === undefined && Boolean(query.error) && (
        <LoadError error={query.error} retry={query.refetch} />
      )}
      {content === undefined && !query.error && <PanelSkeleton />}
      {hasRows && <PanelBody title={title} content={content} isWide={isWide} {...tableProps} />}
      {content?.action}
    </section>
  )
}

type PanelBodyProps = Omit<ReportPanelProps, 'query' | 'content' | 'choice'> & {
  readonly content: PanelContent
}

function PanelBody({ title, content, isWide, ...tableProps }: PanelBodyProps) {
  const texts = useReportTexts()
  const { chart, table, note, isPartial } = content
  return (
    <>
      <div class={isWide && chart ? styles.side : styles.stack}>
        {chart}
        <PanelTable label={title} table={table} {...tableProps} />
      </div>
      {(note || isPartial) && (
        <p class={styles.note}>{[note, isPartial && texts.partial].filter(Boolean).join(' ')}</p>
      )}
    </>
  )
}

function PanelSkeleton() {
  const isShown = useDelayed(DELAY_MS)
  if (!isShown) return <div class={styles.skeleton} />
  return (
    <div class={styles.skeleton} aria-hidden="true">
      <div class={skeleton.short} />
      <div class={skeleton.line} />
      <div class={skeleton.short} />
      <div class={skeleton.line} />
    </div>
  )
}
