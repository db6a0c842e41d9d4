import { median, ratioOf, type Samples, type Variant } from './rounds.ts'
import type { DatabaseName, Row, Target } from './rows.ts'

export interface Result {
  readonly database: DatabaseName
  readonly row: Row
  readonly samples: Samples
}

const HEAD = [
  'database',
  'request',
  'connections',
  'ours /s',
  'ours ms',
  'reference /s',
  'reference ms',
  'pgbench /s',
  'ours / reference',
  'ours / pgbench',
  'target',
  '',
]

/** The table as Markdown, its columns aligned for a terminal too. */
export function table(results: readonly Result[]): string {
  const cells = [HEAD, ...results.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(3, ...cells.map((line) => line[column]!.length)))
  const [head, ...lines] = cells.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  )
  return [head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines].join('\n')
}

function cellsOf({ database, row, samples }: Result): string[] {
  const target = row.targets[database]
  return [
    database,
    row.title,
    String(row.connections),
    ...both(samples, 'service'),
    ...both(samples, 'reference'),
    rate(samples, 'pgbench'),
    shown(ratio(row, samples, 'reference')),
    shown(ratio(row, samples, 'pgbench')),
    target ? `${row.compares === 'rate' ? '≥' : '≤'} ${target.ratio} of ${target.over}` : '',
    target ? verdict(row, target, ratio(row, samples, target.over)) : '',
  ]
}

/** Whether it has a target on this database that it does not reach. */
export function isMissed({ database, row, samples }: Result): boolean {
  const target = row.targets[database]
  return target !== undefined && verdict(row, target, ratio(row, samples, target.over)) !== 'met'
}

function verdict({ compares }: Row, { ratio: wanted }: Target, ratio: number | undefined): string {
  if (ratio === undefined) return 'not measured'
  return verdictOf(compares === 'rate' ? ratio / wanted : wanted / ratio)
}

/** How much of a target was reached, in words. */
export function verdictOf(reached: number): string {
  if (reached >= 1) return 'met'
  return reached >= 0.5 ? 'at least half' : 'below half'
}

function ratio({ compares }: Row, samples: Samples, over: Variant['name']): number | undefined {
  const [ours, theirs] = [samples.get('service'), samples.get(over)]
  // As shown: a verdict must not hang on a digit that nobody sees.
  return ours && theirs && Number(ratioOf(ours, theirs, compares).toFixed(2))
}

function both(samples: Samples, name: Variant['name']): [string, string] {
  const each = samples.get(name)
  return [rate(samples, name), each ? median(each.map(({ latency }) => latency)).toFixed(2) : '']
}

function rate(samples: Samples, name: Variant['name']): string {
  const each = samples.get(name)
  return each ? median(each.map((sample) => sample.rate)).toFixed(0) : ''
}

function shown(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(2)
}
