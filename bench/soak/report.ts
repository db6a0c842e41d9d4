import type { Plot } from '../plot.ts'
import type { DatabaseName } from '../rows.ts'
import { linearRise, type Sample } from './memory.ts'

/** The result of a soak. Memory is in megabytes. */
export interface SoakResult {
  readonly database: DatabaseName
  readonly version: string
  readonly records: number
  readonly seconds: number
  readonly counts: Readonly<Record<string, number>>
  readonly idle: number
  readonly samples: readonly Sample[]
  /** JavaScript values in use after garbage collection. */
  readonly heap: { readonly before: number; readonly warm: number; readonly after: number }
}

const MAX = { idle: 150, underLoad: 250 }
/** Maximum rise of a line fitted through the last half of the load, as a share of the mean. */
const MAX_RISE = 0.05

export function formatSoakReport(result: SoakResult): {
  readonly text: string
  readonly meetsTargets: boolean
} {
  const { idle, samples, heap, counts, seconds } = result
  const lastHalf = samples.slice(samples.length >> 1)
  const mean = lastHalf.reduce((sum, { megabytes }) => sum + megabytes, 0) / lastHalf.length
  const rise = linearRise(lastHalf)
  const highest = Math.max(...samples.map(({ megabytes }) => megabytes))
  const calls = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const lines: readonly (readonly [string, string, string, boolean])[] = [
    ['resident, idle, after the start', `${formatMegabytes(idle)}`, `≤ ${MAX.idle} MB`, idle <= MAX.idle],
    [
      'resident under load, at its highest',
      formatMegabytes(highest),
      `≤ ${MAX.underLoad} MB`,
      highest <= MAX.underLoad,
    ],
    [
      'rise over the last half',
      `${formatMegabytes(rise)}, of a mean of ${formatMegabytes(mean)}`,
      `≤ ${MAX_RISE * 100} % of the mean: ${formatMegabytes(mean * MAX_RISE)}`,
      rise <= mean * MAX_RISE,
    ],
  ]
  const text = [
    '| | | target | |',
    '| --- | --- | --- | --- |',
    ...lines.map(
      ([quantity, value, target, isMet]) =>
        `| ${quantity} | ${value} | ${target} | ${isMet ? 'met' : 'missed'} |`,
    ),
    `| heap in use: before, after a quarter of the load, after all of it | ${formatMegabytes(heap.before)}, ${formatMegabytes(heap.warm)}, ${formatMegabytes(heap.after)} | | |`,
    '',
    `${calls} calls in ${Math.round(seconds)} s: ${Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}.`,
    '',
  ].join('\n')
  return { text, meetsTargets: lines.every(([, , , isMet]) => isMet) }
}

export function createSoakPlot({ database, records, samples, idle }: SoakResult): Plot {
  const name = database === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  return {
    title: `Resident memory under mixed load, ${name}`,
    description: `Resident megabytes of the service each second, with ${records} records; idle before it was ${formatMegabytes(idle)}. Dotted lines are maxima.`,
    panels: [
      {
        title: `${records} records`,
        x: { label: 'seconds of load', scale: 'linear' },
        y: { label: 'megabytes', scale: 'linear' },
        lines: [
          {
            label: 'resident',
            dashed: false,
            points: samples.map(({ second, megabytes }) => [second, megabytes] as const),
          },
        ],
        bounds: [
          { label: `under load ${MAX.underLoad}`, at: MAX.underLoad },
          { label: `idle ${MAX.idle}`, at: MAX.idle },
        ],
      },
    ],
  }
}

function formatMegabytes(megabytes: number): string {
  return `${megabytes.toFixed(1)} MB`
}
