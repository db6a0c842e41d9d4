import type { Crm } from '@sales-crm/core'
import { type Stop, stopInOrder } from '../process/shutdown.ts'
import { assertBackgroundOptions, type BackgroundOptions } from './background-options.ts'
import { startDeleteExpiredJob } from './delete-expired-job.ts'
import { DEFAULT_DELIVERY_SETTINGS } from './delivery-settings.ts'
import { startImportWorker } from './import-worker.ts'
import { startMailWorker } from './mail-worker.ts'
import { startReminderWorker } from './reminder-worker.ts'
import { startRunWorker } from './run-worker.ts'
import { startUsageEventJob, startUsageSaveJob } from './usage-jobs.ts'
import { startWebhookWorker, type WebhookWorkerOptions } from './webhook-worker.ts'

/** The running background work of a server. */
export interface BackgroundWork {
  /**
   * Starts no further work, waits up to ten seconds for what runs, and saves the counted calls. Close the storage
   * afterwards.
   */
  stop(): Promise<void>
}

interface WorkerOptions
  extends BackgroundOptions,
    Pick<WebhookWorkerOptions, 'now' | 'log' | 'observer' | 'wrapSender'> {}

/**
 * Starts all periodic work of the service. Any number of processes may.
 * @throws TypeError that names a wrong option
 */
export function startBackground(
  crm: Crm,
  background: BackgroundOptions,
  observers: Omit<WorkerOptions, keyof BackgroundOptions>,
): BackgroundWork {
  assertBackgroundOptions(background)
  const options = { ...background, ...observers }
  const stopWorkers = startWorkers(crm, options)
  const stopUsageSaveJob = startUsageSaveJob(crm.usage, options.log)
  return { stop: () => stopInOrder(stopWorkers, [stopUsageSaveJob]) }
}

/** Starts the work that only some processes need to do: deliveries, mail, reminders, deletions, runs, imports, events of the usage. */
export function startWorkers(crm: Crm, options: WorkerOptions): readonly Stop[] {
  const { mailer, deliveries, outbound = {}, ...others } = options
  const { log } = options
  return [
    startDeleteExpiredJob(crm, log),
    ...(mailer ? [startMailWorker(crm, mailer, log)] : []),
    startWebhookWorker(crm, {
      ...others,
      deliveries: { ...DEFAULT_DELIVERY_SETTINGS, ...withoutUndefined(deliveries) },
      outbound,
    }),
    startReminderWorker(crm.reminders, log),
    startRunWorker(crm.runs, log),
    startImportWorker(crm.imports, log),
    startUsageEventJob(crm.usage, log),
  ]
}

function withoutUndefined(settings: object | undefined): object {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined))
}
