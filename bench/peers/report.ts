import { verdictOf } from '../report.ts'
import { median, ratioOf, type Samples } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import type { PeerRow } from './rows.ts'

/** One for the service and one for Directus. */
export interface Pair<T> {
  readonly service: T
  readonly directus: T
}

export interface PeerResult {
  readonly database: DatabaseName
  readonly peer: PeerRow
  readonly samples: Samples
  /** Milliseconds of the server's processor on a request, one a round. */
  readonly processor: Pair<readonly number[]>
  /** Resident before the first request. */
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

export function peersReport(results: readonly PeerResult[], facts: readonly string[]): string {
  const atRest = [...new Set(results.map(({ database }) => database))].map((database) =>
    memoryLine(results, database),
  )
  const table = [HEAD, HEAD.map(() => '---'), ...results.map(cellsOf)].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  return [...table, '', ...[...atRest, ...facts].map((fact) => `- ${fact}`), ''].join('\n')
}

function cellsOf({ database, peer: { row, target }, samples, processor }: PeerResult): string[] {
  const [ours, theirs] = [samples.get('service')!, samples.get('directus')!]
  const ratio = Number(ratioOf(ours, theirs, 'rate').toFixed(1))
  const rates = [ours, theirs].flatMap((each) => [
    median(each.map(({ rate }) => rate)).toFixed(0),
    median(each.map(({ latency }) => latency)).toFixed(1),
  ])
  const spent = [processor.service, processor.directus].map((each) => median(each).toFixed(2))
  // The service's title names what Directus has no word for.
  return [
    database,
    row.title.split(';')[0]!,
    ...rates,
    ratio.toFixed(1),
    `≥ ${target}`,
    verdictOf(ratio / target),
    ...spent,
  ]
}

function memoryLine(results: readonly PeerResult[], database: DatabaseName): string {
  const of = (who: keyof Pair<number>) =>
    median(results.filter((each) => each.database === database).map((each) => each.megabytes[who]))
  return `at rest on ${database}: ours ${of('service').toFixed(0)} MB, Directus ${of('directus').toFixed(0)} MB`
}
