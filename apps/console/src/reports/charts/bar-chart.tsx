import { type BarGroup, type Box, layoutBars } from './bar-layout.ts'
import styles from './chart.module.css'
import { type ChartRow, type ChartSeries, describeChart } from './chart-data.ts'
import { ChartDrawing, fillClass, Legend } from './chart-frame.tsx'
import { estimateWidth, labelStep } from './chart-text.ts'
import { createTicks, scaleLength } from './scale.ts'
import { useChartWidth } from './use-chart-width.ts'

const HEIGHT = 180
const TOP = 22
const BOTTOM = 22

interface BarChartProps {
  readonly title: string
  readonly series: readonly ChartSeries[]
  /** The groups of bars, from left to right. */
  readonly rows: readonly ChartRow[]
  readonly formatTick: (value: number) => string
  /** The smallest difference that the values can have. */
  readonly minStep?: number
}

/** Standing bars of one or more series over a common axis. */
export function BarChart({ title, series, rows, formatTick, minStep }: BarChartProps) {
  const [frame, width] = useChartWidth()
  const sizes = rows.map(({ values }) => values.map(({ size }) => size))
  const ticks = createTicks(Math.max(0, ...sizes.flat()), minStep)
  const max = ticks.at(-1) ?? 0
  const left = Math.max(...ticks.map((tick) => estimateWidth(formatTick(tick)))) + 8
  const plot = { x: left, y: TOP, width: width - left, height: HEIGHT - TOP - BOTTOM }
  const groups = layoutBars(plot, sizes, max)
  const slot = plot.width / Math.max(1, rows.length)
  return (
    <div ref={frame} class={styles.frame}>
      <ChartDrawing label={describeChart(title, series, rows)} width={width} height={HEIGHT}>
        <Axis plot={plot} ticks={ticks} formatTick={formatTick} />
        <Bars rows={rows} series={series} groups={groups} slot={slot} />
        <GroupLabels labels={rows.map(({ label }) => label)} groups={groups} slot={slot} />
      </ChartDrawing>
      <Legend series={series} />
    </div>
  )
}

interface AxisProps {
  readonly plot: Box
  readonly ticks: readonly number[]
  readonly formatTick: (value: number) => string
}

function Axis({ plot, ticks, formatTick }: AxisProps) {
  const max = ticks.at(-1) ?? 0
  return ticks.map((tick) => {
    const y = plot.y + plot.height - scaleLength(tick, max, plot.height)
    return (
      <g key={tick}>
        <path class={tick === 0 ? styles.base : styles.rule} d={`M${plot.x} ${y}h${plot.width}`} />
        <text x={plot.x - 8} y={y + 4} text-anchor="end">
          {formatTick(tick)}
        </text>
      </g>
    )
  })
}

interface BarsProps {
  readonly rows: readonly ChartRow[]
  readonly series: readonly ChartSeries[]
  readonly groups: readonly BarGroup[]
  readonly slot: number
}

/** The values stand over their bars if all of them have room. The table has them in any case. */
function Bars({ rows, series, groups, slot }: BarsProps) {
  const [first, second] = groups[0]?.bars ?? []
  const room = first && second ? second.x - first.x : slot
  const hasLabels = rows.every(({ values }) => values.every(({ short }) => estimateWidth(short) <= room))
  return rows.map(({ key, label, values }, row) =>
    values.map((value, nth) => {
      const bar = groups[row]?.bars[nth]
      if (!bar || value.size === 0) return null
      return (
        <g key={`${key} ${nth}`}>
          <rect class={fillClass(series[nth]?.fill ?? 'main')} {...bar} rx={Math.min(3, bar.height / 2)}>
            <title>{`${label}: ${value.text}`}</title>
          </rect>
          {hasLabels && (
            <text class={styles.strong} x={bar.x + bar.width / 2} y={bar.y - 6} text-anchor="middle">
              {value.short}
            </text>
          )}
        </g>
      )
    }),
  )
}

interface GroupLabelsProps {
  readonly labels: readonly string[]
  readonly groups: readonly BarGroup[]
  readonly slot: number
}

/** The last label is always there; those that would touch are left out. */
function GroupLabels({ labels, groups, slot }: GroupLabelsProps) {
  const step = labelStep(labels, slot)
  return labels.map((label, index) =>
    (labels.length - 1 - index) % step === 0 ? (
      <text key={label} x={groups[index]?.centre} y={HEIGHT - 4} text-anchor="middle">
        {label}
      </text>
    ) : null,
  )
}
