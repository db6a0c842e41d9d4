import type { Storage } from '@sales-crm/core/ports'
import { createMailer, mailFolder } from '../background/mail/mailer.ts'
import { startWorkers } from '../background/start-background.ts'
import { startUsageSaveJob } from '../background/usage-jobs.ts'
import { composeService } from '../compose-service.ts'
import { loadConsoleFiles } from '../console/console-files.ts'
import { APP_PARTS } from '../http/app.ts'
import { loadTraces } from '../observability/load-traces.ts'
import { createLog } from '../observability/log.ts'
import { serveMetrics } from '../observability/metrics/metrics-server.ts'
import { createScrapeReader } from '../observability/metrics/scrape-reader.ts'
import { serializeError } from '../observability/redaction.ts'
import type { DemoUser } from '../pages/sign-in-page.ts'
import { describeFormerDatabase } from './former-database.ts'
import { logMigrations } from './migration-log.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { type RunningServer, serve } from './serve.ts'
import { type Settings, sqliteFile } from './settings.ts'
import { logMissingWorkspace, writeSetupLink } from './setup-link.ts'
import { type Stop, stopInOrder } from './shutdown.ts'

/**
 * Hard limit of a stop. A regular stop takes up to ten seconds; a database that does not answer must not
 * extend it further.
 */
const STOP_MS = 15_000
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

interface StartOptions {
  /** Offered on the sign-in page, to be signed in by one press. */
  readonly demoUser?: DemoUser
}

/**
 * Runs the service until a signal ends the process.
 * @throws Error with a one-line message that says what to do, if the service cannot start
 */
export async function start(settings: Settings, { demoUser }: StartOptions = {}): Promise<void> {
  const observability = await startObservability(settings)
  const { log, traces, metrics } = observability
  const wrapStorage = (storage: Storage): Storage => {
    const timed = metrics?.timeStorage(storage) ?? storage
    return traces?.traceStorage(timed) ?? timed
  }
  const onWarning = (message: string) => log.warn(message)
  const store = await openStore(settings, { isServer: true, wrapStorage, onWarning, ...logMigrations(log) })
  const stopMetrics = await listenForScrapes(settings, store, observability).catch(async (error) => {
    await store.close()
    throw error
  })
  const server = await listenForRequests(settings, store, observability, demoUser).catch(async (error) => {
    await stopMetrics()
    await store.close()
    throw error
  })
  // Registered before the start is logged: a supervisor may send a signal from then on.
  stopOnSignal(observability, async () => {
    let isClean = false
    const stopServing = async () => {
      isClean = await server.stop()
    }
    // Calls are counted when they are answered, so the counts are saved after the server has stopped.
    await stopInOrder(
      [stopServing, ...stopWorkers],
      [stopUsageSaveJob, stopMetrics, async () => traces?.stop()],
      [() => store.close()],
    )
    return isClean
  })
  log.info(`Listening on ${urlOf(settings.host, server.port)}`)
  if (settings.metricsPort !== undefined)
    log.info(`Metrics are at ${urlOf(settings.host, settings.metricsPort)}/metrics`)
  const formerDatabase = describeFormerDatabase(settings)
  if (formerDatabase !== undefined) log.warn(formerDatabase)
  if (offersSetup(settings, demoUser)) void writeSetupLink(store, log)
  else void logMissingWorkspace(store.crm, log)
  if (settings.console) void prepareConsole(log)
  const stopUsageSaveJob = startUsageSaveJob(store.crm.usage, log)
  const stopWorkers = settings.worker ? startServiceWorkers(settings, store, observability) : []
}

type Observability = Awaited<ReturnType<typeof startObservability>>

async function startObservability(settings: Settings) {
  const tracing = settings.traces && (await loadTraces())
  const { log, flush } = await createLog(settings.logLevel, tracing?.traceFields)
  // Node's default handler would print the whole error, including statements and values that drivers attach.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: serializeError(error) }, 'Uncaught exception. The process exits.')
    flush()
    process.exit(1)
  })
  const database = sqliteFile(settings) === undefined ? 'postgresql' : 'sqlite'
  const traces = settings.traces && tracing?.startTraces({ ...settings.traces, database, log })
  const metrics =
    settings.metricsPort === undefined
      ? undefined
      : (await import('../observability/metrics/metrics.ts')).createMetrics()
  return { log, flush, traces, metrics }
}

async function listenForScrapes(
  { host, metricsPort: port }: Settings,
  { crm, storage }: OpenStore,
  { metrics, log }: Observability,
): Promise<Stop> {
  if (!metrics || port === undefined) return async () => {}
  const { contentType } = metrics
  const readBacklog = createScrapeReader('delivery backlog', () => crm.operator.backlog(), log)
  const readServers = createScrapeReader('state of replication', () => readDatabaseServers(storage), log)
  const scrape = async () => {
    const [backlog, servers] = await Promise.all([readBacklog(), readServers()])
    return metrics.render({ backlog, servers })
  }
  return serveMetrics({ host, port, contentType, scrape, log }).catch((error) => {
    throw explainPortError(error, host, { name: 'METRICS_PORT', port })
  })
}

async function readDatabaseServers(storage: OpenStore['storage']) {
  if (!('replication' in storage)) return undefined
  return { replication: await storage.replication(), replicas: await storage.replicas() }
}

function listenForRequests(
  settings: Settings,
  { crm, ports }: OpenStore,
  { log, traces, metrics }: Observability,
  demoUser: DemoUser | undefined,
): Promise<RunningServer> {
  const { host, port, limits, trustProxy } = settings
  const { app, rateLimits, unreadResponses } = composeService({
    ...{ crm, ports, limits, trustProxy, demoUser, log },
    setup: offersSetup(settings, demoUser),
    ...(!settings.console && { parts: new Set(APP_PARTS.filter((part) => part !== 'console')) }),
    listenHost: host,
    traceRequest: traces?.traceRequest,
    onResponse: metrics?.recordResponse,
  })
  const { newId } = ports
  return serve(app, { host, port, rateLimits, newId, unreadResponses }).catch((error) => {
    throw explainPortError(error, host, { name: 'PORT', port })
  })
}

function startServiceWorkers(
  settings: Settings,
  { crm, ports }: OpenStore,
  { log, traces, metrics }: Observability,
): readonly Stop[] {
  if (settings.mail.smtpUrl === undefined)
    log.info(`Mail is written to ${mailFolder(settings)}, since SMTP_URL is not set.`)
  return startWorkers(crm, {
    mailer: createMailer(settings),
    deliveries: settings.webhooks,
    outbound: settings.outbound,
    now: ports.now,
    log,
    observer: metrics?.deliveries,
    wrapSender: traces?.traceSender,
  })
}

/** The demo makes its own workspace. */
function offersSetup(settings: Settings, demoUser: DemoUser | undefined): boolean {
  return settings.setup && demoUser === undefined
}

/** Builds the console if its sources have changed. Its first page waits for it, and the API does not. */
async function prepareConsole(log: Observability['log']): Promise<void> {
  const onBuild = () => log.info('Building the console, once until its sources change.')
  await loadConsoleFiles(onBuild).catch((error: Error) => log.warn(error.message))
}

/**
 * Stops the service at the first signal and exits. A second signal, or a stop that takes too long, kills the
 * process.
 * @param stop resolves to false if calls were cut off
 */
function stopOnSignal({ log, flush }: Observability, stop: () => Promise<boolean>): void {
  let isStopping = false

  async function onSignal(): Promise<void> {
    if (isStopping) killProcess()
    isStopping = true
    setTimeout(killProcess, STOP_MS).unref()
    log.info('Stopping: no new connections; received requests are answered.')
    const isClean = await stop().catch((error) => {
      log.error({ err: serializeError(error) }, 'Stopping failed.')
      return false
    })
    flush()
    process.exit(isClean ? 0 : 1)
  }

  /** `process.exit` would wait for a report's worker thread; a signal does not. */
  function killProcess(): void {
    flush()
    process.kill(process.pid, 'SIGKILL')
  }

  for (const signal of SIGNALS) process.on(signal, () => void onSignal())
}

function explainPortError(
  error: unknown,
  host: string,
  { name, port }: { readonly name: string; readonly port: number },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} on ${host} is in use. Stop the process that uses it, or set ${name} to another port.`,
    )
  if (code === 'EACCES')
    return new Error(`This user may not use port ${port}. Set ${name} to a port above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`This machine has no address ${host}. Correct HOST.`)
  return error
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
