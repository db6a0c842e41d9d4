import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readPrometheusText, seriesWithPrefix } from '../../support/prometheus-text.ts'
import { freePort, startService, temporaryFolder } from '../../support/service-process.ts'
import { describePersistentStores } from '../../support/stores.ts'
import { createWebhookEnvironment } from '../../support/webhook-environment.ts'
import { startWebhookReceiver } from '../../support/webhook-receiver.ts'

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const SECONDS = 'crm_http_request_duration_seconds'

async function scrape(port: string) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const body = await response.text()
  return { response, body, series: readPrometheusText(body) }
}

async function createEnv() {
  const path = await temporaryFolder()
  return {
    path,
    env: { DATABASE_URL: `sqlite:${join(path, 'crm.db')}`, DATA_DIR: path, PORT: String(await freePort()) },
  }
}

/** Starts a service that fails at the start, and returns its exit code and standard error. */
async function startFailing(env: Readonly<Record<string, string>>): Promise<unknown[]> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return [code, stderr]
}

async function occupyPort(): Promise<string> {
  const portHolder = createServer().listen(0, '127.0.0.1')
  await once(portHolder, 'listening')
  onTestFinished(() => void portHolder.close())
  return String((portHolder.address() as AddressInfo).port)
}

describePersistentStores('the metrics', (createDatabase) => {
  test('report requests, deliveries, drops, the backlog and the process without any ids', async () => {
    const { database } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const port = String(await freePort())
    const { address, kill } = await acme.start({
      METRICS_PORT: port,
      WEBHOOK_RETRIES: '0',
      RATE_LIMIT_DELETE: '1',
    })
    const taskWebhook = await acme.subscribe(address, receiver.url('/hook'))
    const refusingWebhook = await acme.subscribe(address, receiver.url('/refused'), ['person.created'])
    const silentWebhook = await acme.subscribe(address, receiver.url('/first-silent'), ['tag.created'])
    const id = await acme.createTask(address, 'Canary Wharf')
    const { data: person } = await acme.send(address, 'POST', '/v1/people', {
      full_name: 'Cana Rey',
      emails: [{ email: 'cana@rey.example' }],
    })
    await acme.send(address, 'POST', '/v1/tags', { name: 'Canaries' })
    await acme.send(address, 'GET', `/v1/tasks/${id}`)
    await acme.send(address, 'GET', `/v1/tasks/${taskWebhook.id}`)
    const statuses = [
      await acme.send(address, 'DELETE', `/v1/tasks/${id}`),
      await acme.send(address, 'DELETE', `/v1/tasks/${id}`),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([204, 429])
    await fetch(`${address}/canary/1`)
    await fetch(`${address}/canary/2?canary=3`, { method: 'PROPFIND' })
    await fetch(`${address}/healthz`, { method: 'HEAD' })
    await receiver.waitUntil(({ length }) => length === 3)

    const latestSeries = async () => (await scrape(port)).series
    await expect
      .poll(async () => (await latestSeries()).get('crm_deliveries_total{outcome="delivered"}'))
      .toBe(1)
    await expect
      .poll(async () => (await latestSeries()).get('crm_deliveries_total{outcome="refused"}'))
      .toBe(1)
    await expect
      .poll(async () =>
        (await latestSeries()).get('crm_deliveries_dropped_total{reason="retries_exhausted"}'),
      )
      .toBe(1)
    const { response, body, series } = await scrape(port)
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    expect(
      seriesWithPrefix(series, `${SECONDS}_count`).map((key) => [
        key.slice(SECONDS.length + 6),
        series.get(key),
      ]),
    ).toEqual([
      ['{method="DELETE",route="/v1/tasks/:id",status="204"}', 1],
      ['{method="DELETE",route="/v1/tasks/:id",status="429"}', 1],
      ['{method="GET",route="/v1/tasks/:id",status="200"}', 1],
      ['{method="GET",route="/v1/tasks/:id",status="404"}', 1],
      ['{method="GET",route="none",status="404"}', 1],
      ['{method="HEAD",route="/healthz",status="200"}', 1],
      ['{method="POST",route="/v1/people",status="201"}', 1],
      ['{method="POST",route="/v1/tags",status="201"}', 1],
      ['{method="POST",route="/v1/tasks",status="201"}', 1],
      ['{method="POST",route="/v1/webhooks",status="201"}', 3],
      ['{method="other",route="none",status="404"}', 1],
    ])
    expect(seriesWithPrefix(series, 'crm_rate').map((key) => [key, series.get(key)])).toEqual([
      ['crm_rate_limited_total{route="/v1/tasks/:id"}', 1],
    ])
    expect(series.get('crm_deliveries_total{outcome="timeout"}')).toBe(0)
    expect(series.get('crm_deliveries_dropped_total{reason="access_revoked"}')).toBe(0)
    // The delivery in progress is due when its lease ends.
    expect([series.get('crm_outbox_pending'), series.get('crm_outbox_overdue_seconds')]).toEqual([1, 0])
    for (const kind of ['transact', 'relaxed', 'read'])
      expect(series.get(`crm_database_seconds_count{kind="${kind}"}`)).toBeGreaterThan(0)
    expect(series.get('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(series.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)

    const canaries = [
      acme.token,
      acme.workspace_id,
      id,
      String(person['id']),
      taskWebhook.webhook_secret,
      taskWebhook.id,
      refusingWebhook.id,
      silentWebhook.id,
    ]
    const withoutLeader = body.replace(/^crm_database_leader.*$/m, '')
    for (const canary of [...canaries, 'canary', 'Cana', '@', 'olga', '127.0.0.1', 'whsec_', 'crm_ap'])
      expect(withoutLeader).not.toContain(canary)
    expect(body).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    await kill()
  })
})

describe('the metrics port', () => {
  test("serves GET and HEAD of /metrics only; the service's port does not serve it", async () => {
    const port = String(await freePort())
    const { env } = await createEnv()
    const { address, waitForLine, stop } = await startService({ ...env, METRICS_PORT: port })
    await waitForLine(`Metrics are at http://127.0.0.1:${port}/metrics`)
    const fetchPath = async (path: string, method = 'GET') => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
      return { status: response.status, allow: response.headers.get('Allow'), body: await response.text() }
    }
    expect(readPrometheusText((await fetchPath('/metrics?name[]=x')).body).get('crm_outbox_pending')).toBe(0)
    expect(await fetchPath('/metrics', 'HEAD')).toEqual({ status: 200, allow: null, body: '' })
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      expect(await fetchPath('/metrics', method)).toEqual({
        status: 405,
        allow: 'GET, HEAD',
        body: 'Only GET and HEAD are allowed.\n',
      })
    }
    for (const path of ['/', '/metrics/', '/Metrics', '/healthz', '/v1/tasks', '//metrics', '/?/metrics']) {
      expect(await fetchPath(path)).toEqual({ status: 404, allow: null, body: 'Only /metrics is here.\n' })
    }
    expect((await fetchPath('/v1/tasks', 'POST')).status).toBe(404)
    expect((await fetch(`${address}/metrics`)).status).toBe(404)
    expect(await stop()).toEqual([0, null])
  })

  test('closes with the service, without waiting for open connections', async () => {
    const port = String(await freePort())
    const { env } = await createEnv()
    const { stop } = await startService({ ...env, METRICS_PORT: port })
    const openSocket = createConnection(Number(port), '127.0.0.1')
    openSocket.on('error', () => undefined)
    onTestFinished(() => void openSocket.destroy())
    await once(openSocket, 'connect')
    openSocket.write('GET /metrics HTTP/1.1\r\n')
    await scrape(port)
    expect(await stop()).toEqual([0, null])
    await expect(scrape(port)).rejects.toThrow()
  })

  test('fails the start with one line that names the setting of a used port', async () => {
    const { env } = await createEnv()
    const usedPort = await occupyPort()
    const errorLine = (name: string) =>
      `Port ${usedPort} on 127.0.0.1 is in use. Stop the process that uses it, or set ${name} to another port.\n`
    expect(await startFailing({ ...env, METRICS_PORT: usedPort })).toEqual([1, errorLine('METRICS_PORT')])
    expect(await startFailing({ ...env, PORT: usedPort, METRICS_PORT: String(await freePort()) })).toEqual([
      1,
      errorLine('PORT'),
    ])
    expect(await startFailing({ ...env, METRICS_PORT: env.PORT })).toEqual([
      1,
      `METRICS_PORT must be another port than PORT, not "${env.PORT}".\n`,
    ])
  })

  test('is closed without METRICS_PORT, and prom-client is not loaded', async () => {
    const { path, env } = await createEnv()
    const [hookFile, loadedFile] = [join(path, 'hook.mjs'), join(path, 'seen')]
    const logLoad = `if (name.includes('prom-client')) appendFileSync(${JSON.stringify(loadedFile)}, name)`
    writeFileSync(
      hookFile,
      `import { appendFileSync } from 'node:fs'; import { registerHooks } from 'node:module'
       registerHooks({ resolve(name, context, next) { ${logLoad}; return next(name, context) } })`,
    )
    const hookedEnv = { ...env, NODE_OPTIONS: `--import=${hookFile}` }
    const { address, lines, stop } = await startService(hookedEnv)
    expect((await fetch(`${address}/metrics`)).status).toBe(404)
    expect(await stop()).toEqual([0, null])
    expect(lines.filter(({ msg }) => /metrics/i.test(msg ?? ''))).toEqual([])
    expect(existsSync(loadedFile)).toBe(false)
    const withMetrics = await startService({ ...hookedEnv, METRICS_PORT: String(await freePort()) })
    expect(await withMetrics.stop()).toEqual([0, null])
    expect(readFileSync(loadedFile, 'utf8')).toContain('prom-client')
  })
})
