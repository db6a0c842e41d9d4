import type { Storage } from '@sales-crm/core/ports'
import { startDeleteExpiredJob } from '../background/delete-expired-job.ts'
import { createMailer, mailFolder } from '../background/mail/mailer.ts'
import { startMailWorker } from '../background/mail-worker.ts'
import { startUsageEventJob, startUsageSaveJob } from '../background/usage-jobs.ts'
import { startWebhookWorker } from '../background/webhook-worker.ts'
import { createApp } from '../http/app.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { createLog } from '../observability/log.ts'
import { createBacklogReader } from '../observability/metrics/backlog-reader.ts'
import { serveMetrics } from '../observability/metrics/metrics-server.ts'
import { serializeError } from '../observability/redaction.ts'
import { openStore } from './open-store.ts'
import { preloadModules } from './preload.ts'
import { type RunningServer, serve } from './serve.ts'
import { type Settings, sqliteFile } from './settings.ts'
import { stopInOrder } from './shutdown.ts'

/**
 * Stopping takes ten seconds at most; a database that does not answer does not keep the process longer than
 * this.
 */
const STOP_MS = 15_000
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Runs the service until a signal ends the process.
 * @throws Error in one line that says what to do, when it cannot start
 */
export async function start(settings: Settings): Promise<void> {
  const tracing = settings.traces && (await import('../observability/traces/traces.ts'))
  const { log, flush } = await createLog(settings.logLevel, tracing?.traceFields)
  // What Node itself would say of it holds all that drivers hang on their errors.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: serializeError(error) }, 'The process ends on a failure that nobody caught.')
    exit(1)
  })
  const database = sqliteFile(settings) === undefined ? 'postgresql' : 'sqlite'
  const traces = settings.traces && tracing?.startTraces({ ...settings.traces, database, log })
  const metrics =
    settings.metricsPort === undefined
      ? undefined
      : (await import('../observability/metrics/metrics.ts')).createMetrics()
  const store = await openStore(settings, { isServer: true, wrapStorage })
  const { crm, storage, gate, ports } = store
  const { now, newId } = ports
  const { limits, trustProxy } = settings
  const rateLimits = createRateLimits({
    gate,
    countPersistentRateLimit: crm.countPersistentRateLimit,
    limits,
    now,
  })
  const app = createApp({
    crm,
    rateLimits,
    storage,
    ports,
    trustProxy,
    host: settings.host,
    monotonicNow: () => performance.now(),
    log,
    wrapRequest: traces?.traceRequest,
    onResponse: metrics?.recordResponse,
  })
  const stopMetrics = await listenForScrapes().catch(async (error) => {
    await store.close()
    throw error
  })
  const server = await listenForRequests().catch(async (error) => {
    await stopMetrics()
    await store.close()
    throw error
  })
  // Before anybody is told that it runs, and may want it to stop.
  for (const signal of SIGNALS) process.on(signal, () => void onSignal())
  log.info(`Listening on ${urlOf(settings.host, server.port)}`)
  if (settings.metricsPort !== undefined)
    log.info(`Metrics are at ${urlOf(settings.host, settings.metricsPort)}/metrics`)
  void logMissingWorkspace()
  const stopUsageSaveJob = startUsageSaveJob(crm.usage, log)
  const stopWorkers = settings.worker ? startWorkers() : []
  void preloadModules()

  function wrapStorage(storage: Storage): Storage {
    const timed = metrics?.timeStorage(storage) ?? storage
    return traces?.traceStorage(timed) ?? timed
  }

  /** Whoever starts it for the first time meets a sign-in page that lets nobody in. */
  async function logMissingWorkspace(): Promise<void> {
    const first = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const
    const page = await storage.read((tx) => tx.workspaces.list(first)).catch(() => undefined)
    if (page?.total === 0)
      log.info('There is no workspace yet. `npm run crm -- workspace create --help` tells how to make one.')
  }

  async function stopTraces(): Promise<void> {
    await traces?.stop()
  }

  function listenForRequests(): Promise<RunningServer> {
    const { host, port } = settings
    return serve(app, { host, port, rateLimits, newId }).catch((error) => {
      throw explainPortError(error, host, { name: 'PORT', port })
    })
  }

  async function listenForScrapes(): Promise<() => Promise<void>> {
    const { host, metricsPort: port } = settings
    if (!metrics || port === undefined) return async () => {}
    const { contentType } = metrics
    const backlog = createBacklogReader(() => crm.operator.backlog(), log)
    const scrape = async () => metrics.render(await backlog())
    return serveMetrics({ host, port, contentType, scrape, log }).catch((error) => {
      throw explainPortError(error, host, { name: 'METRICS_PORT', port })
    })
  }

  function startWorkers(): readonly (() => Promise<unknown>)[] {
    if (settings.mail.smtpUrl === undefined)
      log.info(`Mail is written to ${mailFolder(settings)}, since SMTP_URL is not set.`)
    return [
      startDeleteExpiredJob(crm, log),
      startMailWorker(crm, createMailer(settings), log),
      startWebhookWorker(crm, {
        settings,
        now,
        log,
        observer: metrics?.deliveries,
        wrapSender: traces?.traceSender,
      }),
      startUsageEventJob(crm.usage, log),
    ]
  }

  let stopping = false

  async function onSignal(): Promise<void> {
    if (stopping) killProcess()
    stopping = true
    setTimeout(killProcess, STOP_MS).unref()
    log.info('Stopping: no new connections, answering what has come.')
    let isClean = false
    const stopServing = async () => {
      isClean = await server.stop()
    }
    try {
      // Once every call has been answered it is counted.
      await stopInOrder(
        [stopServing, ...stopWorkers],
        [stopUsageSaveJob, stopMetrics, stopTraces],
        [() => store.close()],
      )
      exit(isClean ? 0 : 1)
    } catch (error) {
      log.error({ err: serializeError(error) }, 'Stopping failed.')
      exit(1)
    }
  }

  /** An exit would wait for a thread that reads for a report. */
  function killProcess(): void {
    flush()
    process.kill(process.pid, 'SIGKILL')
  }

  function exit(code: number): never {
    flush()
    process.exit(code)
  }
}

function explainPortError(
  error: unknown,
  host: string,
  { name, port }: { readonly name: string; readonly port: number },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use. Stop what uses it, or set ${name} to another.`)
  if (code === 'EACCES')
    return new Error(`Port ${port} may not be used by this user. Set ${name} to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`This machine has no address ${host}. Correct HOST.`)
  return error
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
