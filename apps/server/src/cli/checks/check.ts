import { explainDatabaseError } from '../../process/database-error.ts'

export type Status = 'ok' | 'warn' | 'fail'

export type CheckResult = readonly [Status, string]

export interface CheckReport {
  readonly name: string
  readonly status: Status
  readonly detail: string
}

/** A check that throws has failed. */
export async function runCheck(name: string, inspect: () => Promise<CheckResult>): Promise<CheckReport> {
  try {
    const [status, detail] = await inspect()
    return { name, status, detail }
  } catch (error) {
    const problem = explainDatabaseError(error)
    return { name, status: 'fail', detail: problem instanceof Error ? problem.message : String(problem) }
  }
}
