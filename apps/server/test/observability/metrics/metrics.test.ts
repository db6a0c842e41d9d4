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

async function scrapeOf(port: string) {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  const body = await answer.text()
  return { answer, body, series: readPrometheusText(body) }
}

async function ownFile() {
  const path = await temporaryFolder()
  return {
    path,
    env: { DATABASE_URL: `sqlite:${join(path, 'crm.db')}`, DATA_DIR: path, PORT: String(await freePort()) },
  }
}

/** Exit code and what is said, of a service that does not start. */
async function startFailing(env: Readonly<Record<string, string>>): Promise<unknown[]> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return [code, said]
}

async function takenPort(): Promise<string> {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  return String((taken.address() as AddressInfo).port)
}

describePersistentStores('a scrape', (found) => {
  test('tells what was answered, delivered and dropped, what waits and how the process is, and nothing about anybody', async () => {
    const { database: place } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const port = String(await freePort())
    const { address, kill } = await acme.start({
      METRICS_PORT: port,
      WEBHOOK_RETRIES: '0',
      RATE_LIMIT_DELETE: '1',
    })
    const told = await acme.subscribe(address, receiver.url('/heard'))
    const refused = await acme.subscribe(address, receiver.url('/refused'), ['person.created'])
    const silent = await acme.subscribe(address, receiver.url('/first-silent'), ['tag.created'])
    const id = await acme.createTask(address, 'Canary Wharf')
    const { data: person } = await acme.send(address, 'POST', '/v1/people', {
      full_name: 'Cana Rey',
      emails: [{ email: 'cana@rey.example' }],
    })
    await acme.send(address, 'POST', '/v1/tags', { name: 'Canaries' })
    await acme.send(address, 'GET', `/v1/tasks/${id}`)
    await acme.send(address, 'GET', `/v1/tasks/${told.id}`)
    const statuses = [
      await acme.send(address, 'DELETE', `/v1/tasks/${id}`),
      await acme.send(address, 'DELETE', `/v1/tasks/${id}`),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([204, 429])
    await fetch(`${address}/canary/1`)
    await fetch(`${address}/canary/2?canary=3`, { method: 'PROPFIND' })
    await fetch(`${address}/healthz`, { method: 'HEAD' })
    await receiver.waitUntil(({ length }) => length === 3)

    const latest = async () => (await scrapeOf(port)).series
    await expect.poll(async () => (await latest()).get('crm_deliveries_total{outcome="delivered"}')).toBe(1)
    await expect.poll(async () => (await latest()).get('crm_deliveries_total{outcome="refused"}')).toBe(1)
    await expect
      .poll(async () => (await latest()).get('crm_deliveries_dropped_total{reason="retries_exhausted"}'))
      .toBe(1)
    const { answer, body, series } = await scrapeOf(port)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
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
    // The one that is under way is not due before its lease ends.
    expect([series.get('crm_outbox_pending'), series.get('crm_outbox_overdue_seconds')]).toEqual([1, 0])
    for (const kind of ['transact', 'unsynced', 'read'])
      expect(series.get(`crm_database_seconds_count{kind="${kind}"}`)).toBeGreaterThan(0)
    expect(series.get('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(series.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)

    const canaries = [
      acme.token,
      acme.workspace_id,
      id,
      String(person['id']),
      told.webhook_secret,
      told.id,
      refused.id,
      silent.id,
    ]
    for (const canary of [...canaries, 'canary', 'Cana', '@', 'olga', '127.0.0.1', 'whsec_', 'crm_ap'])
      expect(body).not.toContain(canary)
    expect(body).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    await kill()
  })
})

describe('the port of the metrics', () => {
  test('has GET and HEAD of /metrics, and nothing else; the port of the service does not have it', async () => {
    const port = String(await freePort())
    const { env } = await ownFile()
    const { address, waitForLine: said, stop } = await startService({ ...env, METRICS_PORT: port })
    await said(`Metrics are at http://127.0.0.1:${port}/metrics`)
    const ask = async (path: string, method = 'GET') => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method })
      return { status: answer.status, allow: answer.headers.get('Allow'), body: await answer.text() }
    }
    expect(readPrometheusText((await ask('/metrics?name[]=x')).body).get('crm_outbox_pending')).toBe(0)
    expect(await ask('/metrics', 'HEAD')).toEqual({ status: 200, allow: null, body: '' })
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      expect(await ask('/metrics', method)).toEqual({
        status: 405,
        allow: 'GET, HEAD',
        body: 'Only GET and HEAD are allowed.\n',
      })
    }
    for (const path of ['/', '/metrics/', '/Metrics', '/healthz', '/v1/tasks', '//metrics', '/?/metrics']) {
      expect(await ask(path)).toEqual({ status: 404, allow: null, body: 'Only /metrics is here.\n' })
    }
    expect((await ask('/v1/tasks', 'POST')).status).toBe(404)
    expect((await fetch(`${address}/metrics`)).status).toBe(404)
    expect(await stop()).toEqual([0, null])
  })

  test('ends with the service, and keeps no stop waiting for whoever is still connected to it', async () => {
    const port = String(await freePort())
    const { env } = await ownFile()
    const { stop } = await startService({ ...env, METRICS_PORT: port })
    const half = createConnection(Number(port), '127.0.0.1')
    half.on('error', () => undefined)
    onTestFinished(() => void half.destroy())
    await once(half, 'connect')
    half.write('GET /metrics HTTP/1.1\r\n')
    await scrapeOf(port)
    expect(await stop()).toEqual([0, null])
    await expect(scrapeOf(port)).rejects.toThrow()
  })

  test('that is taken is one line that names its setting, and so is the other port', async () => {
    const { env } = await ownFile()
    const taken = await takenPort()
    const line = (name: string) =>
      `Port ${taken} on 127.0.0.1 is in use. Stop the process that uses it, or set ${name} to another port.\n`
    expect(await startFailing({ ...env, METRICS_PORT: taken })).toEqual([1, line('METRICS_PORT')])
    expect(await startFailing({ ...env, PORT: taken, METRICS_PORT: String(await freePort()) })).toEqual([
      1,
      line('PORT'),
    ])
    expect(await startFailing({ ...env, METRICS_PORT: env.PORT })).toEqual([
      1,
      `METRICS_PORT must be another port than PORT, not "${env.PORT}".\n`,
    ])
  })

  test('is not there without the setting, and what measures is not even loaded', async () => {
    const { path, env } = await ownFile()
    const [hook, seen] = [join(path, 'hook.mjs'), join(path, 'seen')]
    const noting = `if (name.includes('prom-client')) appendFileSync(${JSON.stringify(seen)}, name)`
    writeFileSync(
      hook,
      `import { appendFileSync } from 'node:fs'; import { registerHooks } from 'node:module'
       registerHooks({ resolve(name, context, next) { ${noting}; return next(name, context) } })`,
    )
    const watched = { ...env, NODE_OPTIONS: `--import=${hook}` }
    const { address, lines, stop } = await startService(watched)
    expect((await fetch(`${address}/metrics`)).status).toBe(404)
    expect(await stop()).toEqual([0, null])
    expect(lines.filter(({ msg }) => /metrics/i.test(msg ?? ''))).toEqual([])
    expect(existsSync(seen)).toBe(false)
    const measured = await startService({ ...watched, METRICS_PORT: String(await freePort()) })
    expect(await measured.stop()).toEqual([0, null])
    expect(readFileSync(seen, 'utf8')).toContain('prom-client')
  })
})
