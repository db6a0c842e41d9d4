import type { Plot } from '../plot.ts'
import type { DatabaseName } from '../rows.ts'
import { riseOf, type Sample } from './memory.ts'

/** What a soak came to. Memory is in megabytes. */
export interface Soaked {
  readonly database: DatabaseName
  readonly version: string
  readonly records: number
  readonly seconds: number
  readonly counts: Readonly<Record<string, number>>
  readonly idle: number
  readonly samples: readonly Sample[]
  /** Values of JavaScript, once what is garbage is collected. */
  readonly heap: { readonly before: number; readonly warm: number; readonly after: number }
}

const MOST = { idle: 150, underLoad: 250 }
/** Memory is flat when over the last half of the load a straight line through it rises by no more than this share of its mean. */
const FLAT = 0.05

export function soakReport(soaked: Soaked): { readonly text: string; readonly isGood: boolean } {
  const { idle, samples, heap, counts, seconds } = soaked
  const half = samples.slice(samples.length >> 1)
  const mean = half.reduce((sum, { megabytes }) => sum + megabytes, 0) / half.length
  const rise = riseOf(half)
  const highest = Math.max(...samples.map(({ megabytes }) => megabytes))
  const calls = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const lines: readonly (readonly [string, string, string, boolean])[] = [
    ['resident, idle, after the start', `${mb(idle)}`, `≤ ${MOST.idle} MB`, idle <= MOST.idle],
    ['resident under load, at its highest', mb(highest), `≤ ${MOST.underLoad} MB`, highest <= MOST.underLoad],
    [
      'rise over the last half',
      `${mb(rise)}, of a mean of ${mb(mean)}`,
      `≤ ${FLAT * 100} % of the mean: ${mb(mean * FLAT)}`,
      rise <= mean * FLAT,
    ],
  ]
  const text = [
    '| | | target | |',
    '| --- | --- | --- | --- |',
    ...lines.map(
      ([what, came, target, isMet]) => `| ${what} | ${came} | ${target} | ${isMet ? 'met' : 'missed'} |`,
    ),
    `| heap in use: before, after a quarter of the load, after all of it | ${mb(heap.before)}, ${mb(heap.warm)}, ${mb(heap.after)} | | |`,
    '',
    `${calls} calls in ${Math.round(seconds)} s: ${Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}.`,
    '',
  ].join('\n')
  return { text, isGood: lines.every(([, , , isMet]) => isMet) }
}

export function soakPlot({ database, records, samples, idle }: Soaked): Plot {
  const name = database === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  return {
    title: `Resident memory under mixed load, ${name}`,
    description: `Resident megabytes of the service each second, with ${records} records; idle before it was ${mb(idle)}. Dotted lines are what it may come to.`,
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
          { label: `under load ${MOST.underLoad}`, at: MOST.underLoad },
          { label: `idle ${MOST.idle}`, at: MOST.idle },
        ],
      },
    ],
  }
}

function mb(megabytes: number): string {
  return `${megabytes.toFixed(1)} MB`
}
