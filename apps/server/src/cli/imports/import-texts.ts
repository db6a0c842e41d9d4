import type { CheckReport, ImportDetail, ImportProblem } from '@sales-crm/core'
import { formatColumns } from '../table.ts'

/** What a terminal shows meanwhile: `Writing rows: 1200 of 5000 (24 %), 800 a second, 5 s left`. */
export function describeProgress({
  state,
  name,
  rows,
  done,
  rows_per_second,
  seconds_left,
}: Pick<ImportDetail, 'state' | 'name' | 'rows' | 'done' | 'rows_per_second' | 'seconds_left'>): string {
  if (state === 'waiting') return 'Waiting for another import of the workspace'
  if (state === 'reading') return `Reading ${name}${done > 0 ? `: ${done} rows` : ''}`
  const share = rows ? ` of ${rows} (${Math.floor((done / rows) * 100)} %)` : ''
  const rate = rows_per_second === null ? '' : `, ${Math.round(rows_per_second)} a second`
  const left = seconds_left === null ? '' : `, ${seconds_left} s left`
  return `${state === 'checking' ? 'Checking' : 'Writing'} rows: ${done}${share}${rate}${left}`
}

/** The sentence of a problem, with its line. */
export function describeProblem(problem: ImportProblem | null): string {
  if (!problem) return 'Run the import again.'
  const { message, line } = problem
  return line === null || /\bline \d/i.test(message) ? message : `Line ${line}: ${message}`
}

export function formatCounts(counts: ImportDetail['counts']): string {
  const rows = Object.entries(counts).map(([kind, { created, updated, unchanged, left_out }]) => [
    kind,
    ...[created, updated, unchanged, left_out].map(String),
  ])
  return formatColumns([['KIND', 'CREATED', 'UPDATED', 'UNCHANGED', 'LEFT OUT'], ...rows])
}

export function formatTargets(columns: ImportDetail['columns']): string {
  const rows = columns.map(({ name, target }, column) => [
    ...[String(column), name],
    target === null ? 'left out' : `${target.kind} ${target.field}`,
  ])
  return formatColumns([['COLUMN', 'NAME', 'BECOMES'], ...rows])
}

/** One line for each rule that cells break, with the first of them. */
export function formatProblems(problems: CheckReport['problems']): string {
  const lines = problems.map(({ column, message, is_blank, count, cells }) => {
    const [first] = cells
    const example = first === undefined ? '' : `, first in row ${first.row}: ${first.value}`
    const outcome = is_blank ? ', left empty' : ''
    return `${column === '' ? '' : `${column}: `}${message} (${count}${outcome}${example})`
  })
  return lines.join('\n')
}

export function countRows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`
}
