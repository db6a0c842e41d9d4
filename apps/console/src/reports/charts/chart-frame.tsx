import type { ComponentChildren } from 'preact'
import styles from './chart.module.css'
import type { ChartFill, ChartSeries } from './chart-data.ts'

interface ChartDrawingProps {
  readonly label: string
  readonly width: number
  readonly height: number
  readonly children: ComponentChildren
}

/** A drawing that its label describes as a whole. */
export function ChartDrawing({ label, width, height, children }: ChartDrawingProps) {
  return (
    <svg class={styles.chart} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {children}
    </svg>
  )
}

interface LegendProps {
  readonly series: readonly ChartSeries[]
  /** Names the line that bars are to reach. */
  readonly goal?: string | undefined
}

/** Names the series, if there are several. */
export function Legend({ series, goal }: LegendProps) {
  if (series.length < 2) return null
  return (
    // The label of the drawing names the series with their values.
    <p class={styles.legend} aria-hidden="true">
      {series.map(({ name, fill }) => (
        <span key={name}>
          <i class={fillClass(fill)} />
          {name}
        </span>
      ))}
      {goal !== undefined && (
        <span>
          <i class={styles.goalMark} />
          {goal}
        </span>
      )}
    </p>
  )
}

export function fillClass(fill: ChartFill): string | undefined {
  return styles[fill]
}
