import { setTimeout as wait } from 'node:timers/promises'
import type { ImportApi } from '@sales-crm/core'
import { serializeError } from '../observability/redaction.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { startInterval } from '../process/interval.ts'

const INTERVAL_MS = 500
/** Between two transactions, so that other writers have their turn. */
const PAUSE_MS = 2

/**
 * Goes on with the imports of all workspaces until none is due, and looks for more twice a second.
 * @returns function that stops the worker, waits for a running transaction, and lets other processes go on
 */
export function startImportWorker(imports: ImportApi, log: Pick<ServiceLog, 'error'>): () => Promise<void> {
  let isStopped = false

  async function shouldContinue(): Promise<boolean> {
    await wait(PAUSE_MS)
    return !isStopped
  }

  async function continueImports(): Promise<void> {
    try {
      while (!isStopped && (await imports.continue(shouldContinue))) {
        // Each call takes some steps.
      }
    } catch (error) {
      log.error(
        { err: serializeError(error) },
        'A step of an import failed. It will be repeated within half a minute.',
      )
    }
  }

  const stop = startInterval(INTERVAL_MS, continueImports)
  return async () => {
    isStopped = true
    await stop()
    await imports.release()
  }
}
