import { statSync } from 'node:fs'
import type { AccessGate } from '@sales-crm/core/ports'
import { newId } from '@sales-crm/node'
import type { CheckResult } from './check.ts'

const SKEW_SECONDS = 5

/**
 * Reads the database's clock from a rate limit window, which closes after 60 seconds, rounded up to a second.
 */
export async function checkDatabaseClock(gate: AccessGate): Promise<CheckResult> {
  const { resetsAt } = await gate.count({ key: `doctor:${newId()}`, limit: 0, seconds: 60 })
  return compareClocks(
    Math.round(resetsAt - 60.5 - Date.now() / 1000),
    "agrees with the database's",
    "the database's. Let both machines keep",
  )
}

/**
 * Compares with the last write, since a file has no clock: a write in the future means that the clock is
 * behind.
 */
export function checkFileClock(lastWriteAt: number): CheckResult {
  const behindSeconds = Math.max(0, Math.round((lastWriteAt - Date.now()) / 1000))
  return compareClocks(
    behindSeconds,
    'not behind the last write to the database',
    'the last write to the database. Let the machine keep',
  )
}

export function lastWriteTime(file: string): number {
  return Math.max(
    ...[file, `${file}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  )
}

function compareClocks(behindSeconds: number, agreement: string, other: string): CheckResult {
  if (Math.abs(behindSeconds) <= SKEW_SECONDS) return ['ok', agreement]
  return [
    'warn',
    `${Math.abs(behindSeconds)} seconds ${behindSeconds > 0 ? 'behind' : 'ahead of'} ${other} time by NTP.`,
  ]
}
