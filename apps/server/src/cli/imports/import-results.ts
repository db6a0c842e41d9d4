import type { ImportDetail } from '@sales-crm/core'
import { PROGRAMS } from '../../process/program-names.ts'
import type { CommandResult } from '../command.ts'
import { writeWholeFile } from '../files/whole-file.ts'
import type { ImportJob } from './import-job.ts'
import { countRows, describeProblem, formatCounts, formatProblems, formatTargets } from './import-texts.ts'

/** What the command line names. */
export interface ImportNames {
  readonly file: string
  readonly workspace: string
  readonly email?: string | undefined
}

/** What a check has found. @throws Error of one line if somebody has cancelled it */
export function checkResult({ rows, columns, report }: ImportDetail): CommandResult {
  if (!report) throw new Error('Somebody has cancelled the check. Run it again.')
  const { counts, problems, over_quota } = report
  const parts = [
    formatTargets(columns),
    formatCounts(counts),
    formatProblems(problems),
    over_quota === 0 ? '' : `${over_quota} records more than the workspace may hold: see QUOTA_RECORDS.`,
    `${countRows(rows ?? 0)} checked, and nothing was written.`,
  ]
  const targets = columns.map(({ name, target }, column) => ({ column, name, target }))
  return { value: { rows, columns: targets, ...report }, text: joinParts(parts) }
}

/** What a run has written. The rows of which something was left out are beside the file. @throws Error of one line */
export async function runResult(
  { id, state, rows, done, problem, counts, rows_with_problems, expires_at }: ImportDetail,
  names: ImportNames,
  job: Pick<ImportJob, 'failedRows'>,
): Promise<CommandResult> {
  if (state !== 'done') {
    const reached = `at row ${done} of ${rows}`
    if (state !== 'paused') throw new Error(`Somebody has ended the import ${reached}. What it wrote stays.`)
    const reason = problem ? `: ${describeProblem(problem)}` : '.'
    throw new Error(`Paused ${reached}${reason} Go on with: ${resumeCommand(id, names)}`)
  }
  const failedRows = rows_with_problems === 0 ? null : `${names.file}.failed.csv`
  if (failedRows !== null) await writeWholeFile(failedRows, await job.failedRows(id))
  const parts = [
    formatCounts(counts),
    failedRows === null
      ? ''
      : `${countRows(rows_with_problems)} with problems: correct and import ${failedRows}.`,
    `${countRows(rows ?? 0)} done, as import ${id}, which can be reverted until ${expires_at.slice(0, 10)}.`,
  ]
  return { value: { id, rows, counts, rows_with_problems, failed_rows: failedRows }, text: joinParts(parts) }
}

function resumeCommand(id: string, { file, workspace, email }: ImportNames): string {
  const as = email === undefined ? '' : ` --as ${email}`
  return `${PROGRAMS.operate} import ${quote(file)} --workspace ${workspace}${as} --resume ${id}`
}

/** For a shell. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
