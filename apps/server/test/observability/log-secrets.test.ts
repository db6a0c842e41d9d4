import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { withMissingTable } from '../support/missing-table.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { freePort, startService, temporaryFolder } from '../support/service-process.ts'
import { describePersistentStores } from '../support/stores.ts'
import { createWebhookEnvironment } from '../support/webhook-environment.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const UNHANDLED_FAILURE_SCRIPT = new URL('../support/unhandled-failure.ts', import.meta.url).href
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'Content-Type': 'application/json' }
const CANARY_HEADERS = {
  'User-Agent': 'canary\tx',
  Cookie: 'session=canary; __Host-session=canary',
  Referer: 'https://canary.example/?canary',
  'Idempotency-Key': 'canary',
  'X-Forwarded-For': 'canary',
  tracestate: 'vendor=t-1',
  // The only text of a caller that is logged.
  'X-Request-ID':
    'x\x85{"level":60} eyJhbGci.canary whsec_canary crm_rt_canary Bearer canary client_secret=canary code=canary b@canary.example',
}
/** Matches the form of secrets, not only the canary. */
const SECRET = /canary|eyJ|crm_[a-z]{2,3}_|whsec_|[0-9a-f]{64}/i

/** Starts a mail server that rejects every recipient and names it in the error. */
async function startRejectingMailServer(): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_, __, done) => done(null, { user: 'crm' }),
    onRcptTo: ({ address }, _, done) =>
      done(Object.assign(new Error(`<${address}> is not known, password=canary`), { responseCode: 550 })),
  })
  server.on('error', () => {})
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return `smtp://crm:canary@127.0.0.1:${(listener.address() as AddressInfo).port}`
}

async function sendRaw(address: string, bytes: string): Promise<void> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.resume().end(bytes)
  await once(socket, 'close')
}

describePersistentStores(
  'secrets and request content never reach the log, standard error or traces',
  (createDatabase) => {
    test('in any request, with any failure', { timeout: 60_000 }, async () => {
      const { database } = await createDatabase()
      const receiver = await startWebhookReceiver()
      const collector = await startOtlpReceiver()
      const acme = await createWebhookEnvironment(database, receiver)
      const service = await acme.start({
        ...{ RATE_LIMIT_OAUTH: '0', RATE_LIMIT_REGISTER: '0', WEBHOOK_RETRIES: '0', LOG_LEVEL: 'trace' },
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=canary' },
        SMTP_URL: await startRejectingMailServer(),
      })
      let requestCount = 0
      const send = async (
        method: string,
        path: string,
        body?: string,
        headers: Readonly<Record<string, string>> = {},
      ): Promise<number> => {
        requestCount += 1
        const init = {
          method,
          headers: { ...CANARY_HEADERS, ...headers },
          redirect: 'manual',
          ...(body !== undefined && { body }),
        } as const
        return (await fetch(service.address + path, init)).status
      }
      const bearer = { Authorization: `Bearer ${acme.token}` }
      const jsonHeaders = { ...bearer, ...JSON_BODY }
      const person = JSON.stringify({
        full_name: 'Canary\r\n{"level":"error"}',
        emails: [{ email: 'c@canary.example' }],
      })

      const sendCanariesEverywhere = async () => {
        await send('GET', '/v1/people?search=canary&access_token=canary', undefined, bearer)
        await send('GET', '/v1/people/canary', undefined, bearer)
        await send('GET', '/v1/people', undefined, { Authorization: 'Bearer canary.canary.canary' })
        await send('GET', '/v1/people', undefined, { Authorization: 'Basic Y2FuYXJ5OmNhbmFyeQ==' })
        await send('PUT', '/canary/canary?canary')
        await send('PROPFIND', '/canary')
        await send('POST', '/v1/people', person, jsonHeaders)
        await send('POST', '/v1/people', '{"full_name":"Canary', jsonHeaders)
        await send('POST', '/v1/tasks', '{"title":"Canary\\n{\\"level\\":60}"}', jsonHeaders)
        await send('POST', '/v1/tasks', '{"title":"Canary"}', jsonHeaders)
        await send(
          'POST',
          '/v1/products',
          '{"name":"Canary","code":"canary","currency":"USD","image":"https://canary.invalid/canary"}',
          jsonHeaders,
        )
        await send('GET', '/files/canary/canary')
        await send(
          'GET',
          '/oauth/authorize?client_id=canary&redirect_uri=https://canary.example&state=canary',
          undefined,
          {
            Accept: 'text/html',
          },
        )
        await send(
          'POST',
          '/oauth/token',
          'grant_type=authorization_code&code=canary&client_id=01890000-0000-7000-8000-000000000000&client_secret=canary',
          FORM,
        )
        await send(
          'POST',
          '/oauth/token?client_secret=canary',
          'grant_type=refresh_token&refresh_token=canary',
          {
            ...FORM,
            Authorization: `Basic ${Buffer.from('canary:canary').toString('base64')}`,
          },
        )
        await send(
          'POST',
          '/oauth/revoke',
          '{"token":"canary","client_id":"canary","client_secret":"canary"}',
          JSON_BODY,
        )
        await send('GET', '/oauth/consent?request=canary')
        await send('GET', '/sign-in?to=/canary')
        await send('POST', '/sign-in', 'email=c@canary.example&password=canary', FORM)
        for (const page of ['/password/reset', '/invitation', '/apps/secret'])
          await send('GET', `${page}?token=canary`)
        await send(
          'POST',
          '/v1/auth/register-app',
          '{"name":"Canary","email":"c@canary.example","redirect_uris":["https://canary.example"],"scopes":["people:read"]}',
          JSON_BODY,
        )
      }

      await acme.subscribe(service.address, receiver.url('/refused'), ['task.created'])
      await acme.subscribe(service.address, `https://127.0.0.1:${await freePort()}/canary`, ['task.created'])
      await sendCanariesEverywhere()
      await sendRaw(service.address, 'GET /canary HTTP/1.1\r\nHost: canary\r\nno header canary\r\n\r\n')
      await service.waitForLine('A mail could not be sent. It will be retried.')
      await expect
        .poll(() => service.lines.filter(({ msg }) => msg === 'A delivery was dropped.').length, {
          timeout: 15_000,
        })
        .toBe(2)
      for (const table of ['people', 'apps', 'grants', 'users', 'queued_mail', 'deliveries'])
        await withMissingTable(database, table, sendCanariesEverywhere)
      expect(await service.stop()).toEqual([0, null])

      const requests = service.lines.filter((line) => line['method'] !== undefined)
      expect(requests.length).toBeGreaterThanOrEqual(requestCount)
      const failures = service.lines.filter(({ msg }) => msg === 'A request failed unexpectedly.')
      expect(failures.length).toBeGreaterThan(5)
      expect(requests.filter(({ status }) => status === 500)).toHaveLength(failures.length)
      expect(requests.find((line) => line['caller_request_id'])?.['caller_request_id']).toBe(
        'x\x85{"level":60} … … … Bearer … client_secret=… code=… …',
      )
      expect(service.lines.filter((line) => SECRET.test(JSON.stringify(line)))).toEqual([])
      expect(service.stderr()).toBe('')
      expect(collector.spans().length).toBeGreaterThan(requestCount)
      expect(collector.bodies.filter((body) => SECRET.test(body))).toEqual([])
    })
  },
)

test("an unhandled rejection is logged without the error's details and ends the process", async () => {
  const path = await temporaryFolder()
  const service = await startService({
    DATABASE_URL: `sqlite:${join(path, 'crm.db')}`,
    DATA_DIR: path,
    PORT: String(await freePort()),
    NODE_OPTIONS: `--import ${UNHANDLED_FAILURE_SCRIPT}`,
  })
  const exit = service.waitForExit()
  service.signal('SIGUSR2')
  expect(await exit).toEqual([1, null])
  const logLine = await service.waitForLine('Uncaught exception. The process exits.')
  expect(logLine.level).toBe(60)
  expect(logLine['err']).toMatchObject({ message: 'Key … of password=… failed', code: '57P01' })
  expect(JSON.stringify(service.lines)).not.toMatch(/canary|hunter2|0123/)
  expect(service.stderr()).toBe('')
})
