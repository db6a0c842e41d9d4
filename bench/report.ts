import { median, medianRatio, type Samples, type Variant } from './rounds.ts'
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
  '/s',
  'ms',
  'compared with',
  '/s',
  'ms',
  'ratio',
  'target',
  '',
]

/** Formats the results as a Markdown table with aligned columns. */
export function formatTable(results: readonly Result[]): string {
  const cells = [HEAD, ...results.flatMap(formatComparisons)]
  const widths = HEAD.map((_, column) => Math.max(3, ...cells.map((line) => line[column]!.length)))
  const [head, ...lines] = cells.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  )
  return [head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines].join('\n')
}

/** Formats a line for each variant that the service is compared with. */
function formatComparisons({ database, row, samples }: Result): string[][] {
  const target = row.targets[database]
  const others = [...samples.keys()].filter((name) => name !== 'service')
  return others.map((other) => {
    const ratio = computeRatio(row, samples, other)
    return [
      database,
      row.title,
      String(row.connections),
      ...formatRateAndLatency(samples, 'service'),
      other,
      ...formatRateAndLatency(samples, other),
      ratio === undefined ? '' : ratio.toFixed(2),
      ...(target?.over === other
        ? [`${row.compares === 'rate' ? '≥' : '≤'} ${target.ratio}`, formatVerdict(row, target, ratio)]
        : ['', '']),
    ]
  })
}

/** Returns true if the row has a target on this database and misses it. */
export function isMissed({ database, row, samples }: Result): boolean {
  const target = row.targets[database]
  return target !== undefined && formatVerdict(row, target, computeRatio(row, samples, target.over)) !== 'met'
}

function formatVerdict({ compares }: Row, { ratio: targetRatio }: Target, ratio: number | undefined): string {
  if (ratio === undefined) return 'not measured'
  return judgeTarget(compares === 'rate' ? ratio / targetRatio : targetRatio / ratio)
}

/** Returns the verdict for a share of a target: 1 is the target itself. */
export function judgeTarget(share: number): string {
  if (share >= 1) return 'met'
  return share >= 0.5 ? 'at least half' : 'below half'
}

function computeRatio({ compares }: Row, samples: Samples, over: Variant['name']): number | undefined {
  const [ours, theirs] = [samples.get('service'), samples.get(over)]
  // Rounded as in the table, so that a verdict does not depend on hidden digits.
  return ours && theirs && Number(medianRatio(ours, theirs, compares).toFixed(2))
}

function formatRateAndLatency(samples: Samples, name: Variant['name']): [string, string] {
  const own = samples.get(name) ?? []
  return [
    median(own.map(({ rate }) => rate)).toFixed(0),
    median(own.map(({ latency }) => latency)).toFixed(2),
  ]
}
