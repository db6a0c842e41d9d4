import type { Plot } from '../plot.ts'
import type { Result } from './many-sizes.ts'
import type { Crowded } from './many-workspaces.ts'
import { RECORDS_EACH } from './many-workspaces.ts'
import type { Target } from './rows.ts'

const OVER: Readonly<Record<Target['over'], (smallest: string) => string>> = {
  smallest: (smallest) => `of that at ${smallest}`,
  first: () => 'of the first page',
  walk: () => 'of the walk and a first page',
}

/** A line for each row and database, with what it came to at each size. */
export function sizesTable(results: readonly Result[], sizes: readonly number[]): string {
  const [fewest, most] = [grouped(sizes[0]!), grouped(sizes.at(-1)!)]
  const head = [
    'database',
    'asked',
    ...sizes.map((size) => `ms at ${grouped(size)}`),
    `${most} / ${fewest}`,
    'target',
    'reached',
    '',
  ]
  return table(
    head,
    results.map((result) => sizesLine(result, fewest)),
  )
}

function sizesLine(
  { database, row: { title, target }, costs, growth, reached }: Result,
  fewest: string,
): string[] {
  const ms = costs.at(-1)!.ms
  return [
    database,
    title,
    ...costs.map((cost) => cost.ms.toFixed(2)),
    growth.toFixed(2),
    target
      ? `≤ ${target.most} ${OVER[target.over](fewest)}${target.underMs === undefined ? '' : `, < ${target.underMs} ms`}`
      : '',
    reached === undefined ? '' : reached.toFixed(2),
    target && reached !== undefined ? verdict(target, reached, ms) : '',
  ]
}

export function crowdedTable(results: readonly Crowded[], workspaces: number): string {
  const head = ['database', 'asked', 'ms alone', `ms among ${grouped(workspaces)}`, 'ratio']
  return table(
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

/** How often each verdict was given, for those who read one line. */
export function summary(results: readonly Result[]): string {
  const given = results.flatMap(({ row: { target }, reached, costs }) =>
    target && reached !== undefined ? [verdict(target, reached, costs.at(-1)!.ms)] : [],
  )
  const counts = (['met', 'at least half', 'below half'] as const).map(
    (each) => `${each} ${given.filter((one) => one === each).length}`,
  )
  return `Of ${given.length} targets: ${counts.join(', ')}.`
}

/** As shown: a verdict must not hang on a digit that nobody sees. */
function verdict(
  { most, underMs }: Target,
  reached: number,
  ms: number,
): 'met' | 'at least half' | 'below half' {
  const shares = [
    most / Number(reached.toFixed(2)),
    ...(underMs === undefined ? [] : [underMs / Number(ms.toFixed(2))]),
  ]
  const least = Math.min(...shares)
  if (least >= 1) return 'met'
  return least >= 0.5 ? 'at least half' : 'below half'
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

/** Cost against size: a flat line costs the same at any size. */
export function sizesPlot(results: readonly Result[]): Plot {
  const panels = PANELS.map((title) => ({
    title,
    of: results.filter(({ row }) => row.panel === title),
  })).filter(({ of }) => of.length > 0)
  return {
    title: 'Cost against size',
    description:
      'Milliseconds of each kind of question against how many people, deals and tasks the workspace has, on logarithmic axes. A flat line costs the same at every size.',
    strokes: { whole: 'SQLite', dashed: 'PostgreSQL' },
    panels: panels.map(({ title, of }) => ({
      title,
      x: { label: 'records of each kind', scale: 'log' },
      y: { label: 'milliseconds', scale: 'log' },
      lines: of.map(({ row, database, costs }) => ({
        label: row.legend ?? row.title.replace(/^search: /, ''),
        dashed: database === 'postgres',
        points: costs.map(({ size, ms }) => [size, ms] as const),
      })),
    })),
  }
}

export function aboutSizes(sizes: readonly number[], rounds: number): string {
  return `Asked through the core, in this process, of a workspace of ${sizes.map(grouped).join(', ')} people and as many deals and tasks each,
in turn; medians of ${rounds}. Every person holds five custom values. A ratio is the median of each round's own. What a page in the middle is
held against is a walk to it by a covering index, as a statement by hand on the same database, and a first page.`
}

export function aboutCrowded(workspaces: number): string {
  return `The same of a workspace with ${RECORDS_EACH} people, deals and tasks each, that has its database to itself, and of one among ${grouped(workspaces)} such.`
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ')
}
