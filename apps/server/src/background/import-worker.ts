import { setTimeout as wait } from 'node:timers/promises'
import type { ImportApi } from '@sales-crm/core'
import { FailureLog } from '../observability/failure-log.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { startInterval } from '../process/interval.ts'

const INTERVAL_MS = 500
/** Between two transactions, so that other writers have their turn. */
const PAUSE_MS = 2
/** The part of a pause in which the event loop works on something else, from which on others count as active. */
const MIN_UTILIZATION = 0.2
/** A step that waits for its database pauses no longer. */
const MAX_PAUSE_MS = 30

/**
 * Goes on with the imports of all workspaces until none is due, and looks for more twice a second.
 * @returns function that stops the worker, waits for a running transaction, and lets other processes go on
 */
export function startImportWorker(
  imports: ImportApi,
  log: Pick<ServiceLog, 'error' | 'info'>,
): () => Promise<void> {
  let isStopped = false
  const failures = new FailureLog(log, {
    failure: 'A step of an import failed. It will be repeated within half a minute.',
    recovery: 'Imports continue again.',
  })
  let stepBeganAt = performance.now()

  /** While others are active, they have as much time as the step before has taken. */
  async function shouldContinue(): Promise<boolean> {
    const stepMs = performance.now() - stepBeganAt
    const before = performance.eventLoopUtilization()
    await wait(PAUSE_MS)
    if (performance.eventLoopUtilization(before).utilization > MIN_UTILIZATION)
      await wait(Math.min(stepMs, MAX_PAUSE_MS))
    stepBeganAt = performance.now()
    return !isStopped
  }

  async function continueImports(): Promise<void> {
    try {
      while (!isStopped && (await imports.continue(shouldContinue))) {
        // Each call takes some steps.
      }
      failures.reportSuccess()
    } catch (error) {
      failures.reportFailure(error)
    }
  }

  const stop = startInterval(INTERVAL_MS, continueImports)
  return async () => {
    isStopped = true
    await stop()
    await imports.release()
  }
}
