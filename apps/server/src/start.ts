import type { Storage } from '@sales-crm/core/ports'
import { createApp } from './app.ts'
import { type Settings, sqliteFile } from './config.ts'
import { startWebhooks } from './delivering.ts'
import { endInTurn } from './end-in-turn.ts'
import { failureOf } from './errors.ts'
import { createLog } from './log.ts'
import { mailerFor, mailFolder } from './mail/mailer.ts'
import { startSending } from './mail/sending.ts'
import { createMeters } from './meters.ts'
import { backlogReader } from './metrics/backlog-reader.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { openStore } from './open-store.ts'
import { type Serving, serve } from './serve.ts'
import { startTidying } from './tidying.ts'
import { startAnnouncing, startCounting } from './usage.ts'
import { warm } from './warm.ts'

/** Stopping takes ten seconds at most; a database that does not answer does not keep the process longer than this. */
const STOP_MS = 15_000
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Runs the service until a signal ends the process. @throws Error in one line that says what to do, when it cannot start */
export async function start(settings: Settings): Promise<void> {
  const tracing = settings.traces && (await import('./traces/traces.ts'))
  const { log, flush } = await createLog(settings.logLevel, tracing?.traceFields)
  // What Node itself would say of it holds all that drivers hang on their errors.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: failureOf(error) }, 'The process ends on a failure that nobody caught.')
    exit(1)
  })
  const database = sqliteFile(settings) === undefined ? 'postgresql' : 'sqlite'
  const traces = settings.traces && tracing?.startTraces({ ...settings.traces, database, log })
  const metrics = settings.metricsPort === undefined ? undefined : (await import('./metrics/metrics.ts')).createMetrics()
  const store = await openStore(settings, { serving: true, watched })
  const { crm, storage, gate, ports } = store
  const { now, newId } = ports
  const { limits, trustProxy } = settings
  const meters = createMeters({ gate, countLasting: crm.countLasting, limits, now })
  const app = createApp({
    crm,
    meters,
    storage,
    ports,
    trustProxy,
    host: settings.host,
    elapsed: () => performance.now(),
    log,
    within: traces?.within,
    answered: metrics?.answered,
  })
  const stopMetrics = await listenForScrapes().catch(async (error) => {
    await store.close()
    throw error
  })
  const serving = await listen().catch(async (error) => {
    await stopMetrics()
    await store.close()
    throw error
  })
  // Before anybody is told that it runs, and may want it to stop.
  for (const signal of SIGNALS) process.on(signal, () => void onSignal())
  log.info(`Listening on ${addressOf(settings.host, serving.port)}`)
  if (settings.metricsPort !== undefined) log.info(`Metrics are at ${addressOf(settings.host, settings.metricsPort)}/metrics`)
  void tellOfNoWorkspace()
  const stopCounting = startCounting(crm.usage, log)
  const stopWork = settings.worker ? startWork() : []
  void warm()

  function watched(storage: Storage): Storage {
    const timed = metrics?.timed(storage) ?? storage
    return traces?.watched(timed) ?? timed
  }

  /** Whoever starts it for the first time meets a sign-in page that lets nobody in. */
  async function tellOfNoWorkspace(): Promise<void> {
    const first = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const
    const found = await storage.read((tx) => tx.workspaces.list(first)).catch(() => undefined)
    if (found?.total === 0) log.info('There is no workspace yet. `npm run crm -- workspace create --help` tells how to make one.')
  }

  async function stopTraces(): Promise<void> {
    await traces?.stop()
  }

  function listen(): Promise<Serving> {
    const { host, port } = settings
    return serve(app, { host, port, meters, newId }).catch((error) => {
      throw portProblem(error, host, { name: 'PORT', port })
    })
  }

  async function listenForScrapes(): Promise<() => Promise<void>> {
    const { host, metricsPort: port } = settings
    if (!metrics || port === undefined) return async () => {}
    const { contentType } = metrics
    const backlog = backlogReader(() => crm.operator.backlog(), log)
    const scrape = async () => metrics.text(await backlog())
    return serveMetrics({ host, port, contentType, scrape, log }).catch((error) => {
      throw portProblem(error, host, { name: 'METRICS_PORT', port })
    })
  }

  function startWork(): readonly (() => Promise<unknown>)[] {
    if (settings.mail.smtpUrl === undefined) log.info(`Mail is written to ${mailFolder(settings)}, since SMTP_URL is not set.`)
    return [
      startTidying(crm, log),
      startSending(crm, mailerFor(settings), log),
      startWebhooks(crm, { settings, now, log, counts: metrics?.deliveries, watched: traces?.sender }),
      startAnnouncing(crm.usage, log),
    ]
  }

  let stopping = false

  async function onSignal(): Promise<void> {
    if (stopping) endAtOnce()
    stopping = true
    setTimeout(endAtOnce, STOP_MS).unref()
    log.info('Stopping: no new connections, answering what has come.')
    let isClean = false
    const stopServing = async () => {
      isClean = await serving.stop()
    }
    try {
      // Once every call has been answered it is counted.
      await endInTurn([stopServing, ...stopWork], [stopCounting, stopMetrics, stopTraces], [() => store.close()])
      exit(isClean ? 0 : 1)
    } catch (error) {
      log.error({ err: failureOf(error) }, 'Stopping failed.')
      exit(1)
    }
  }

  /** An exit would wait for a thread that reads for a report. */
  function endAtOnce(): void {
    flush()
    process.kill(process.pid, 'SIGKILL')
  }

  function exit(code: number): never {
    flush()
    process.exit(code)
  }
}

function portProblem(error: unknown, host: string, { name, port }: { readonly name: string; readonly port: number }): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return new Error(`Port ${port} on ${host} is in use. Stop what uses it, or set ${name} to another.`)
  if (code === 'EACCES') return new Error(`Port ${port} may not be used by this user. Set ${name} to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new Error(`This machine has no address ${host}. Correct HOST.`)
  return error
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
