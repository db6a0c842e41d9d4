import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { loadSettings } from '../../../src/process/settings.ts'
import { withMissingTable } from '../../support/missing-table.ts'
import { startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { freePort, type LogLine, startService, temporaryFolder } from '../../support/service-process.ts'
import { describePersistentStores } from '../../support/stores.ts'
import { createWebhookEnvironment } from '../../support/webhook-environment.ts'
import { startWebhookReceiver } from '../../support/webhook-receiver.ts'

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const LOG_MODULES_SCRIPT = new URL('../../support/log-loaded-modules.ts', import.meta.url).href
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const SERVER = 2
const CLIENT = 3
const ERROR = 2

async function createEnv() {
  const path = await temporaryFolder()
  return {
    path,
    env: { DATABASE_URL: `sqlite:${join(path, 'crm.db')}`, DATA_DIR: path, PORT: String(await freePort()) },
  }
}

const requestLines = (lines: readonly LogLine[]) => lines.filter((line) => line['method'] !== undefined)

describePersistentStores('traces', (createDatabase) => {
  test("a request is a child span of its caller's and has its transactions as children", async () => {
    const { database } = await createDatabase()
    const acme = await createWebhookEnvironment(database, await startWebhookReceiver())
    const collector = await startOtlpReceiver()
    const service = await acme.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=crm',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      WORKER: database.driver === 'sqlite' ? 'true' : 'false',
    })
    const createResponse = await fetch(`${service.address}/v1/tasks`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${acme.token}`,
        'Content-Type': 'application/json',
        traceparent: `00-${TRACE}-${CALLER}-01`,
      },
      body: '{"title":"Call"}',
    })
    expect(createResponse.status).toBe(201)
    await fetch(`${service.address}/nowhere`)
    await fetch(`${service.address}/healthz`, { method: 'PROPFIND', headers: { traceparent: 'not one' } })
    expect(await service.stop()).toEqual([0, null])

    const spans = collector.spans()
    const [request, notFound, unknownMethod] = spans.filter(({ kind }) => kind === SERVER)
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      name: 'POST /v1/tasks',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/tasks',
        'http.response.status_code': 201,
        'crm.request_id': createResponse.headers.get('X-Request-ID'),
      },
      events: [],
      resource: { 'service.name': 'sales-crm', 'deployment.environment.name': 'test' },
    })
    expect(Object.keys(request!.attributes)).toHaveLength(4)
    const children = spans.filter(({ parentSpanId }) => parentSpanId === request!.spanId)
    expect(
      children.map(({ traceId, name, kind, attributes }) => [
        traceId,
        name,
        kind,
        attributes['db.system.name'],
      ]),
    ).toContainEqual([
      TRACE,
      'database transact',
      CLIENT,
      database.driver === 'sqlite' ? 'sqlite' : 'postgresql',
    ])
    expect(notFound).toMatchObject({ name: 'GET', attributes: { 'http.response.status_code': 404 } })
    expect(notFound!.attributes).not.toHaveProperty('http.route')
    expect(unknownMethod).toMatchObject({ name: 'HTTP', attributes: { 'http.request.method': '_OTHER' } })
    const traces = spans.filter(({ kind }) => kind === SERVER).map(({ traceId }) => traceId)
    expect(new Set(traces).size).toBe(3)
    // Background work creates no traces of its own.
    expect(spans.filter(({ kind, parentSpanId }) => kind === CLIENT && parentSpanId === undefined)).toEqual(
      [],
    )
    expect(requestLines(service.lines).map((line) => line['trace_id'])).toEqual(traces)
    expect(collector.headers[0]).toMatchObject({ 'x-team': 'crm' })
  })

  test("a failure marks its span, and the driver's message is only in the log", async () => {
    const { database } = await createDatabase()
    const acme = await createWebhookEnvironment(database, await startWebhookReceiver())
    const collector = await startOtlpReceiver()
    const service = await acme.start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
    await withMissingTable(database, 'products', async () => {
      expect((await acme.send(service.address, 'GET', '/v1/products')).status).toBe(500)
    })
    await acme.send(service.address, 'GET', '/v1/products/0199')
    await service.stop()
    const spans = collector.spans()
    const [failed, notFound] = spans.filter(({ kind }) => kind === SERVER)
    expect(failed).toMatchObject({
      name: 'GET /v1/products',
      status: { code: ERROR },
      attributes: { 'error.type': '500' },
    })
    expect(notFound).toMatchObject({
      name: 'GET /v1/products/:id',
      status: {},
      attributes: { 'http.response.status_code': 404 },
    })
    expect(notFound!.attributes).not.toHaveProperty('error.type')
    const [transaction] = spans.filter(
      ({ parentSpanId, status }) => parentSpanId === failed!.spanId && status.code === ERROR,
    )
    expect(transaction).toMatchObject({ name: 'database read', events: [] })
    expect(collector.bodies.join('')).not.toMatch(/products_gone|no such table|does not exist/)
    const failure = service.lines.find(({ msg }) => msg === 'A request failed unexpectedly.')
    expect(failure?.['trace_id']).toBe(failed!.traceId)
  })

  test("a delivery attempt has its own trace, with the delivery's id and without the URL", async () => {
    const { database } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const collector = await startOtlpReceiver()
    const service = await acme.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      WEBHOOK_RETRIES: '0',
    })
    const acceptingWebhook = await acme.subscribe(service.address, receiver.url('/hook?canary=canary'))
    const refusingWebhook = await acme.subscribe(service.address, receiver.url('/refused'), ['task.created'])
    await acme.createTask(service.address, 'Canary Wharf')
    const received = await receiver.waitUntil(({ length }) => length === 2)
    await service.stop()
    const attempts = collector.spans().filter(({ name }) => name === 'deliver task.created')
    const [success, failure] = [acceptingWebhook, refusingWebhook].map(({ id }) =>
      attempts.find(({ attributes }) => attributes['crm.webhook_id'] === id),
    )
    expect(success).toMatchObject({
      kind: CLIENT,
      status: {},
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'crm.workspace_id': acme.workspace_id,
        'crm.delivery_id': received.find(({ path }) => path !== '/refused')!.envelope.id,
        'crm.event': 'task.created',
      },
    })
    expect(success).not.toHaveProperty('parentSpanId')
    expect(failure).toMatchObject({
      status: { code: ERROR },
      attributes: { 'http.response.status_code': 500, 'error.type': '500' },
    })
    expect(collector.bodies.join('')).not.toMatch(/canary|127\.0\.0\.1:\d+\/(hook|refused)/i)
  })
})

test('loads OpenTelemetry only if the endpoint is set', async () => {
  const collector = await startOtlpReceiver()
  const loadedModules = async (more: Readonly<Record<string, string>>) => {
    const { path, env } = await createEnv()
    const list = join(path, 'loaded')
    writeFileSync(list, '')
    const service = await startService({
      ...env,
      ...more,
      LOADED_MODULES: list,
      NODE_OPTIONS: `--import ${LOG_MODULES_SCRIPT}`,
    })
    await fetch(`${service.address}/healthz`)
    await service.stop()
    const modules = readFileSync(list, 'utf8').split('\n')
    return {
      service: modules.filter((url) => /\/src\/process\/start\.ts$/.test(url)),
      traced: modules.filter((url) => /opentelemetry|src\/observability\/traces/.test(url)),
    }
  }
  const modules = await loadedModules({ OTEL_SERVICE_NAME: 'named', OTEL_TRACES_SAMPLER: 'always_on' })
  expect(modules.service).toHaveLength(1)
  expect(modules.traced).toEqual([])
  expect(
    (await loadedModules({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })).traced.length,
  ).toBeGreaterThan(10)
})

test("sends nothing when the sampler drops every trace, and still logs the caller's trace id", async () => {
  const collector = await startOtlpReceiver()
  const { env } = await createEnv()
  const service = await startService({
    ...env,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER: 'always_off',
  })
  await fetch(`${service.address}/healthz`, { headers: { traceparent: `00-${TRACE}-${CALLER}-01` } })
  await service.stop()
  expect(collector.bodies).toEqual([])
  expect(requestLines(service.lines)).toMatchObject([{ route: '/healthz', trace_id: TRACE }])
})

test('logs a rejecting collector once, and still responds and stops cleanly', async () => {
  const collector = await startOtlpReceiver()
  collector.respondWith(400)
  const { env } = await createEnv()
  const service = await startService({
    ...env,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  })
  const countMessages = (prefix: string) => service.lines.filter(({ msg }) => msg?.startsWith(prefix)).length
  for (const count of [1, 2, 3]) {
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200)
    await expect.poll(() => collector.headers.length).toBe(count)
  }
  await expect.poll(() => countMessages('Traces cannot be sent.')).toBe(1)
  collector.respondWith(200)
  await fetch(`${service.address}/healthz`)
  await expect.poll(() => countMessages('Traces are sent again.')).toBe(1)
  collector.respondWith(503)
  await fetch(`${service.address}/healthz`)
  expect(await service.stop()).toEqual([0, null])
  expect(countMessages('The last traces could not be sent.')).toBe(1)
  expect(countMessages('OpenTelemetry')).toBe(0)
})

test.each([
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'localhost:4318',
    ' must be an http or https URL without query or fragment.',
  ],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'https://otlp.example/?key=canary',
    ' must be an http or https URL without query or fragment.',
  ],
  ['OTEL_TRACES_SAMPLER', 'some', ' must be one of always_on, parentbased_always_on, '],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', ' must be a number between 0 and 1, not "1.5".'],
])('%s=%s fails the start with one line', async (name, value, rule) => {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], [name]: value },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(code).toBe(1)
  expect(stderr).toContain(`${name}${rule}`)
  expect(stderr.split('\n')).toHaveLength(2)
  expect(stderr).not.toContain('canary')
})

test('the service name is sales-crm unless OTEL_SERVICE_NAME is set', () => {
  const endpoint = 'https://otlp.example/tenant'
  expect(loadSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).traces).toEqual({
    endpoint,
    serviceName: 'sales-crm',
  })
  expect(
    loadSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'crm-eu' }).traces?.serviceName,
  ).toBe('crm-eu')
  expect(
    loadSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_SERVICE_NAME: 'crm-eu' }).traces,
  ).toBeUndefined()
})
