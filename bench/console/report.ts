import { median } from '../rounds.ts'
import type { Row } from './rows.ts'

const HEAD = ['', 'median', 'lowest to highest', 'target', '']

export function formatRows(rows: readonly Row[]): string {
  return [HEAD, HEAD.map(() => '---'), ...rows.map(formatRow)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Judged by the printed value, so that a verdict does not depend on hidden digits. */
export function isMissed(row: Row): boolean {
  return row.target !== undefined && Number(median(row.values).toFixed(row.digits ?? 0)) > row.target
}

function formatRow(row: Row): string[] {
  const { title, values, unit, target } = row
  const write = (value: number) => value.toFixed(row.digits ?? 0)
  const withUnit = (text: string) => (unit === '' ? text : `${text} ${unit}`)
  const [lowest, highest] = [write(Math.min(...values)), write(Math.max(...values))]
  return [
    title,
    withUnit(write(median(values))),
    values.length > 1 ? `${lowest} to ${highest}` : '',
    target === undefined ? '' : `≤ ${withUnit(String(target))}`,
    target === undefined ? '' : isMissed(row) ? 'missed' : 'met',
  ]
}
