import { judgeTarget } from '../report.ts'
import { median, medianRatio, type Samples } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import type { PeerRow } from './rows.ts'

/** A value for the service and one for Directus. */
export interface Pair<T> {
  readonly service: T
  readonly directus: T
}

export interface PeerResult {
  readonly database: DatabaseName
  readonly peerRow: PeerRow
  readonly samples: Samples
  /** Milliseconds of processor time per request, one value per round. */
  readonly processor: Pair<readonly number[]>
  /** Resident memory before the first request. */
  readonly megabytes: Pair<number>
}

const HEAD = [
  ...[
    'database',
    'request',
    'ours /s',
    'ours ms',
    'Directus /s',
    'Directus ms',
    'ours / Directus',
    'target',
    '',
  ],
  ...['ours, ms of processor', "Directus's"],
]

export function formatPeersReport(results: readonly PeerResult[], facts: readonly string[]): string {
  const memoryFacts = [...new Set(results.map(({ database }) => database))].map((database) =>
    formatMemory(results, database),
  )
  const table = [HEAD, HEAD.map(() => '---'), ...results.map(formatRow)].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  return [...table, '', ...[...memoryFacts, ...facts].map((fact) => `- ${fact}`), ''].join('\n')
}

function formatRow({ database, peerRow: { row, target }, samples, processor }: PeerResult): string[] {
  const [ours, theirs] = [samples.get('service')!, samples.get('directus')!]
  const ratio = Number(medianRatio(ours, theirs, 'rate').toFixed(1))
  const rates = [ours, theirs].flatMap((each) => [
    median(each.map(({ rate }) => rate)).toFixed(0),
    median(each.map(({ latency }) => latency)).toFixed(1),
  ])
  const processorTimes = [processor.service, processor.directus].map((each) => median(each).toFixed(2))
  return [
    database,
    row.title,
    ...rates,
    ratio.toFixed(1),
    `≥ ${target}`,
    judgeTarget(ratio / target),
    ...processorTimes,
  ]
}

function formatMemory(results: readonly PeerResult[], database: DatabaseName): string {
  const medianOf = (variant: keyof Pair<number>) =>
    median(results.filter((each) => each.database === database).map((each) => each.megabytes[variant]))
  return `at rest on ${database}: ours ${medianOf('service').toFixed(0)} MB, Directus ${medianOf('directus').toFixed(0)} MB`
}
