import type { Plot } from '../plot.ts'
import type { Result } from './many-sizes.ts'
import type { CrowdedResult } from './many-workspaces.ts'
import { RECORDS_EACH } from './many-workspaces.ts'
import type { Target } from './row.ts'

const COMPARISON_TEXTS: Readonly<Record<Target['over'], (smallest: string) => string>> = {
  smallest: (smallest) => `of that at ${smallest}`,
  first: () => 'of the first page',
  walk: () => 'of the scan and a first page',
}

/** Formats a table of each row and database, with the cost at each size. */
export function formatSizesTable(results: readonly Result[], sizes: readonly number[]): string {
  const [smallestSize, most] = [groupDigits(sizes[0]!), groupDigits(sizes.at(-1)!)]
  const head = [
    'database',
    'request',
    ...sizes.map((size) => `ms at ${groupDigits(size)}`),
    `${most} / ${smallestSize}`,
    'target',
    'reached',
    '',
  ]
  return formatTable(
    head,
    results.map((result) => formatSizesRow(result, smallestSize)),
  )
}

function formatSizesRow(
  { database, row: { title, target }, costs, growth, ratioReached }: Result,
  smallestSize: string,
): string[] {
  const ms = costs.at(-1)!.ms
  return [
    database,
    title,
    ...costs.map((cost) => cost.ms.toFixed(2)),
    growth.toFixed(2),
    target
      ? `≤ ${target.most} ${COMPARISON_TEXTS[target.over](smallestSize)}${target.underMs === undefined ? '' : `, < ${target.underMs} ms`}`
      : '',
    ratioReached === undefined ? '' : ratioReached.toFixed(2),
    target && ratioReached !== undefined ? judgeTarget(target, ratioReached, ms) : '',
  ]
}

export function formatCrowdedTable(results: readonly CrowdedResult[], workspaces: number): string {
  const head = ['database', 'request', 'ms alone', `ms among ${groupDigits(workspaces)}`, 'ratio']
  return formatTable(
    head,
    results.map(({ database, title, alone, among, ratio }) => [
      database,
      title,
      alone.toFixed(2),
      among.toFixed(2),
      ratio.toFixed(2),
    ]),
  )
}

/** Summarizes the verdicts in one line. */
export function summarizeVerdicts(results: readonly Result[]): string {
  const verdicts = results.flatMap(({ row: { target }, ratioReached, costs }) =>
    target && ratioReached !== undefined ? [judgeTarget(target, ratioReached, costs.at(-1)!.ms)] : [],
  )
  const counts = (['met', 'at least half', 'below half'] as const).map(
    (each) => `${each} ${verdicts.filter((one) => one === each).length}`,
  )
  return `Of ${verdicts.length} targets: ${counts.join(', ')}.`
}

/** Computed from rounded values, as in the table, so that a verdict does not depend on hidden digits. */
function judgeTarget(
  { most, underMs }: Target,
  ratioReached: number,
  ms: number,
): 'met' | 'at least half' | 'below half' {
  const shares = [
    most / Number(ratioReached.toFixed(2)),
    ...(underMs === undefined ? [] : [underMs / Number(ms.toFixed(2))]),
  ]
  const lowestShare = Math.min(...shares)
  if (lowestShare >= 1) return 'met'
  return lowestShare >= 0.5 ? 'at least half' : 'below half'
}

const PANELS = [
  'First pages',
  'Middle pages',
  'Last pages',
  'Filters',
  'Search',
  'One record',
  'Reports and counts',
  'The outbox',
] as const

/** Plots cost against size. A flat line costs the same at any size. */
export function createSizesPlot(results: readonly Result[]): Plot {
  const panels = PANELS.map((title) => ({
    title,
    matching: results.filter(({ row }) => row.panel === title),
  })).filter(({ matching }) => matching.length > 0)
  return {
    title: 'Cost against size',
    description:
      'Milliseconds of each kind of request against the number of people, deals and tasks in the workspace, on logarithmic axes. A flat line costs the same at every size.',
    strokes: { solid: 'SQLite', dashed: 'PostgreSQL' },
    panels: panels.map(({ title, matching }) => ({
      title,
      x: { label: 'records of each kind', scale: 'log' },
      y: { label: 'milliseconds', scale: 'log' },
      lines: matching.map(({ row, database, costs }) => ({
        label: row.legend ?? row.title.replace(/^search: /, ''),
        dashed: database === 'postgres',
        points: costs.map(({ size, ms }) => [size, ms] as const),
      })),
    })),
  }
}

export function describeSizes(sizes: readonly number[], rounds: number): string {
  return `Measured through the core, in this process, in a workspace of ${sizes.map(groupDigits).join(', ')} people and as many deals and tasks,
in alternation; medians of ${rounds} rounds. Every person has five custom values. A ratio is the median of the rounds' ratios. A middle page is
compared with a hand-written statement that scans a covering index up to it, plus a first page.`
}

export function describeCrowded(workspaces: number): string {
  return `The same in a workspace of ${RECORDS_EACH} people, deals and tasks each with its own database, and in one among ${groupDigits(workspaces)}.`
}

function formatTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function groupDigits(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ')
}
