import { layoutRow } from './bar-layout.ts'
import styles from './chart.module.css'
import { type ChartRow, type ChartSeries, type ChartValue, describeChart } from './chart-data.ts'
import { ChartDrawing, fillClass, Legend } from './chart-frame.tsx'
import { cutToWidth, estimateWidth } from './chart-text.ts'
import { scaleLength } from './scale.ts'
import { useChartWidth } from './use-chart-width.ts'

const ROW = 32
const BAR = 18
const LABEL_SHARE = 0.34
const MAX_LABEL = 170
const GAP = 8

export interface TotalledRow extends ChartRow {
  /** Stands at the end of the row. */
  readonly total: string
  /** What the bar is to reach. */
  readonly goal?: ChartValue | undefined
}

interface HorizontalBarsProps {
  readonly title: string
  readonly series: readonly ChartSeries[]
  readonly rows: readonly TotalledRow[]
  /** Names the goals of the rows. */
  readonly goal?: string
}

/** Lying bars, whose parts are the series. */
export function HorizontalBars({ title, series, rows, goal }: HorizontalBarsProps) {
  const [frame, width] = useChartWidth()
  const widest = Math.max(0, ...rows.map(({ label }) => estimateWidth(label)))
  const labels = Math.min(MAX_LABEL, width * LABEL_SHARE, widest) + GAP
  const totals = Math.max(0, ...rows.map(({ total }) => estimateWidth(total))) + GAP + 2 * series.length
  const max = Math.max(0, ...rows.map(({ values, goal }) => Math.max(sumSizes(values), goal?.size ?? 0)))
  const plotWidth = Math.max(20, width - labels - totals)
  return (
    <div ref={frame} class={styles.frame}>
      <ChartDrawing
        label={describeWithGoals(title, series, rows, goal)}
        width={width}
        height={Math.max(1, rows.length) * ROW}
      >
        {rows.map((row, index) => (
          <BarRow
            key={row.key}
            row={row}
            series={series}
            y={index * ROW}
            labelWidth={labels - GAP}
            plotWidth={plotWidth}
            max={max}
            goalName={goal}
          />
        ))}
      </ChartDrawing>
      <Legend series={series} goal={goal} />
    </div>
  )
}

function sumSizes(values: readonly ChartValue[]): number {
  return values.reduce((sum, { size }) => sum + size, 0)
}

/** Says the goals as well: a row without one has one value less. */
function describeWithGoals(
  title: string,
  series: readonly ChartSeries[],
  rows: readonly TotalledRow[],
  goal: string | undefined,
): string {
  if (goal === undefined) return describeChart(title, series, rows)
  const all = [...series, { name: goal, fill: 'main' as const }]
  return describeChart(
    title,
    all,
    rows.map((row) => ({ ...row, values: row.goal ? [...row.values, row.goal] : row.values })),
  )
}

interface BarRowProps {
  readonly row: TotalledRow
  readonly series: readonly ChartSeries[]
  readonly y: number
  readonly labelWidth: number
  readonly plotWidth: number
  readonly max: number
  readonly goalName: string | undefined
}

function BarRow({ row, series, y, labelWidth, plotWidth, max, goalName }: BarRowProps) {
  const plot = { x: labelWidth + GAP, y: y + (ROW - BAR) / 2, width: plotWidth, height: BAR }
  const sizes = row.values.map(({ size }) => size)
  const parts = layoutRow(plot, sizes, max)
  const goalX = row.goal && plot.x + scaleLength(row.goal.size, max, plotWidth)
  const end = Math.max(goalX ?? plot.x, ...parts.map((part) => part.x + part.width))
  const baseline = y + ROW / 2 + 4
  return (
    <g>
      {/* Wide characters, which the estimate does not know, end at the edge. */}
      <svg x={0} y={y} width={labelWidth + 4} height={ROW} overflow="hidden">
        <title>{row.label}</title>
        <text class={styles.strong} y={ROW / 2 + 4}>
          {cutToWidth(row.label, labelWidth)}
        </text>
      </svg>
      {parts.map((part, nth) =>
        part.width > 0 ? (
          <rect key={series[nth]?.name} class={fillClass(series[nth]?.fill ?? 'main')} {...part} rx={3}>
            <title>{`${row.label}, ${series[nth]?.name}: ${row.values[nth]?.text}`}</title>
          </rect>
        ) : null,
      )}
      {row.goal && (
        <path class={styles.goal} d={`M${goalX} ${plot.y - 4}v${BAR + 8}`}>
          <title>{`${row.label}, ${goalName}: ${row.goal.text}`}</title>
        </path>
      )}
      <text class={styles.strong} x={end + GAP} y={baseline}>
        {row.total}
      </text>
    </g>
  )
}
