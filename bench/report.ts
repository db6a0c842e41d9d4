import { writeFileSync } from 'node:fs'

/** A measured value and its target, if it has one. */
export interface Measure {
  readonly value: number
  readonly atLeast?: number
  readonly atMost?: number
  readonly unit?: string
  /** Number of decimal places. Defaults to 2. */
  readonly digits?: number
}

/** Judged by the printed value, so that a verdict does not depend on hidden digits. */
export function isMissed({ value, atLeast = -Infinity, atMost = Infinity, digits = 2 }: Measure): boolean {
  const printed = Number(value.toFixed(digits))
  return !(printed >= atLeast && printed <= atMost)
}

/** Formats a measure as three cells of a table: the value, the target and the verdict. */
export function formatMeasure(measure: Measure): readonly [string, string, string] {
  const { value, atLeast, atMost, digits = 2 } = measure
  const unit = measure.unit === undefined ? '' : ` ${measure.unit}`
  const printed = `${value.toFixed(digits)}${unit}`
  const bound = atLeast ?? atMost
  if (bound === undefined) return [printed, '', '']
  const sign = atLeast === atMost ? '=' : atLeast === undefined ? '≤' : '≥'
  return [printed, `${sign} ${bound}${unit}`, isMissed(measure) ? 'missed' : 'met']
}

/** Formats a Markdown table. */
export function formatTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export interface Report {
  /** The file in `results`, without its extension. */
  readonly name: string
  readonly title: string
  readonly tables: readonly string[]
  /** What the results depend on, one fact per line. */
  readonly facts: readonly string[]
}

/** Prints a report, and writes that of a full run to `results`. */
export function publishReport({ name, title, tables, facts }: Report, isFullRun: boolean): void {
  const list = facts.map((fact) => `- ${fact}`).join('\n')
  const text = `# ${title}, ${new Date().toISOString().slice(0, 10)}\n\n${[...tables, list].join('\n\n')}\n`
  console.log(`\n${text}`)
  if (isFullRun) writeFileSync(new URL(`results/${name}.md`, import.meta.url), text)
  else console.error('Not written to bench/results: an option shortens this run.')
}
