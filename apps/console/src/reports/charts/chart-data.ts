/** Orange is for won deals alone. */
export type ChartFill = 'main' | 'middle' | 'soft' | 'won'

export interface ChartSeries {
  readonly name: string
  readonly fill: ChartFill
}

export interface ChartValue {
  readonly size: number
  /** The value in full. */
  readonly text: string
  /** The value as it fits on a bar. */
  readonly short: string
}

export interface ChartRow {
  readonly key: string
  readonly label: string
  /** One for each series. */
  readonly values: readonly ChartValue[]
}

/** Says all values of a chart, for those who do not see it. */
export function describeChart(
  title: string,
  series: readonly ChartSeries[],
  rows: readonly ChartRow[],
): string {
  const texts = rows.map(({ label, values }) => {
    const parts = values.map(({ text }, index) =>
      series.length > 1 ? `${series[index]?.name ?? ''} ${text}` : text,
    )
    return `${label}: ${parts.join(', ')}`
  })
  return `${title}. ${texts.join('; ')}.`
}
