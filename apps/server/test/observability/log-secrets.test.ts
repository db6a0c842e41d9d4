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

const UNFORESEEN = new URL('../support/unhandled-failure.ts', import.meta.url).href
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'Content-Type': 'application/json' }
const EVERYWHERE = {
  'User-Agent': 'canary\tx',
  Cookie: 'session=canary; __Host-session=canary',
  Referer: 'https://canary.example/?canary',
  'Idempotency-Key': 'canary',
  'X-Forwarded-For': 'canary',
  tracestate: 'vendor=t-1',
  // The one text of a caller that the log keeps.
  'X-Request-ID':
    'x\x85{"level":60} eyJhbGci.canary whsec_canary crm_rt_canary Bearer canary client_secret=canary code=canary b@canary.example',
}
/** As a secret looks, and not only as it is called. */
const SECRET = /canary|eyJ|crm_[a-z]{2,3}_|whsec_|[0-9a-f]{64}/i

/** A mail server that takes nobody, and says whom. */
async function refusingMailServer(): Promise<string> {
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
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return `smtp://crm:canary@127.0.0.1:${(listening.address() as AddressInfo).port}`
}

async function raw(address: string, bytes: string): Promise<void> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.resume().end(bytes)
  await once(socket, 'close')
}

describePersistentStores(
  'no secret, and nothing else that callers send, reaches the log, standard error or a trace',
  (found) => {
    test('wherever it is sent, and whatever fails', { timeout: 60_000 }, async () => {
      const { database: place } = await found()
      const receiver = await startWebhookReceiver()
      const collector = await startOtlpReceiver()
      const acme = await createWebhookEnvironment(place, receiver)
      const service = await acme.start({
        ...{ RATE_LIMIT_OAUTH: '0', RATE_LIMIT_REGISTER: '0', WEBHOOK_RETRIES: '0', LOG_LEVEL: 'trace' },
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=canary' },
        SMTP_URL: await refusingMailServer(),
      })
      let asked = 0
      const ask = async (
        method: string,
        path: string,
        body?: string,
        headers: Readonly<Record<string, string>> = {},
      ): Promise<number> => {
        asked += 1
        const init = {
          method,
          headers: { ...EVERYWHERE, ...headers },
          redirect: 'manual',
          ...(body !== undefined && { body }),
        } as const
        return (await fetch(service.address + path, init)).status
      }
      const bearer = { Authorization: `Bearer ${acme.token}` }
      const mine = { ...bearer, ...JSON_BODY }
      const person = JSON.stringify({
        full_name: 'Canary\r\n{"level":"error"}',
        emails: [{ email: 'c@canary.example' }],
      })

      const everywhere = async () => {
        await ask('GET', '/v1/people?search=canary&access_token=canary', undefined, bearer)
        await ask('GET', '/v1/people/canary', undefined, bearer)
        await ask('GET', '/v1/people', undefined, { Authorization: 'Bearer canary.canary.canary' })
        await ask('GET', '/v1/people', undefined, { Authorization: 'Basic Y2FuYXJ5OmNhbmFyeQ==' })
        await ask('PUT', '/canary/canary?canary')
        await ask('PROPFIND', '/canary')
        await ask('POST', '/v1/people', person, mine)
        await ask('POST', '/v1/people', '{"full_name":"Canary', mine)
        await ask('POST', '/v1/tasks', '{"title":"Canary\\n{\\"level\\":60}"}', mine)
        await ask('POST', '/v1/tasks', '{"title":"Canary"}', mine)
        await ask(
          'POST',
          '/v1/products',
          '{"name":"Canary","code":"canary","currency":"USD","image":"https://canary.invalid/canary"}',
          mine,
        )
        await ask('GET', '/files/canary/canary')
        await ask(
          'GET',
          '/oauth/authorize?client_id=canary&redirect_uri=https://canary.example&state=canary',
          undefined,
          {
            Accept: 'text/html',
          },
        )
        await ask(
          'POST',
          '/oauth/token',
          'grant_type=authorization_code&code=canary&client_id=01890000-0000-7000-8000-000000000000&client_secret=canary',
          FORM,
        )
        await ask(
          'POST',
          '/oauth/token?client_secret=canary',
          'grant_type=refresh_token&refresh_token=canary',
          {
            ...FORM,
            Authorization: `Basic ${Buffer.from('canary:canary').toString('base64')}`,
          },
        )
        await ask(
          'POST',
          '/oauth/revoke',
          '{"token":"canary","client_id":"canary","client_secret":"canary"}',
          JSON_BODY,
        )
        await ask('GET', '/oauth/consent?request=canary')
        await ask('GET', '/sign-in?to=/canary')
        await ask('POST', '/sign-in', 'email=c@canary.example&password=canary', FORM)
        for (const page of ['/password/reset', '/invitation', '/apps/secret'])
          await ask('GET', `${page}?token=canary`)
        await ask(
          'POST',
          '/v1/auth/register-app',
          '{"name":"Canary","email":"c@canary.example","redirect_uris":["https://canary.example"],"scopes":["people:read"]}',
          JSON_BODY,
        )
      }

      await acme.subscribe(service.address, receiver.url('/refused'), ['task.created'])
      await acme.subscribe(service.address, `https://127.0.0.1:${await freePort()}/canary`, ['task.created'])
      await everywhere()
      await raw(service.address, 'GET /canary HTTP/1.1\r\nHost: canary\r\nno header canary\r\n\r\n')
      await service.waitForLine('A mail could not be sent. It will be retried.')
      await expect
        .poll(() => service.lines.filter(({ msg }) => msg === 'A delivery was dropped.').length, {
          timeout: 15_000,
        })
        .toBe(2)
      for (const table of ['people', 'apps', 'grants', 'users', 'queued_mail', 'deliveries'])
        await withMissingTable(place, table, everywhere)
      expect(await service.stop()).toEqual([0, null])

      const requests = service.lines.filter((line) => line['method'] !== undefined)
      expect(requests.length).toBeGreaterThanOrEqual(asked)
      const failures = service.lines.filter(({ msg }) => msg === 'A request failed unexpectedly.')
      expect(failures.length).toBeGreaterThan(5)
      expect(requests.filter(({ status }) => status === 500)).toHaveLength(failures.length)
      expect(requests.find((line) => line['caller_request_id'])?.['caller_request_id']).toBe(
        'x\x85{"level":60} … … … Bearer … client_secret=… code=… …',
      )
      expect(service.lines.filter((line) => SECRET.test(JSON.stringify(line)))).toEqual([])
      expect(service.stderr()).toBe('')
      expect(collector.spans().length).toBeGreaterThan(asked)
      expect(collector.bodies.filter((body) => SECRET.test(body))).toEqual([])
    })
  },
)

test('what nobody catches ends the process with a line of the log, without what hangs on the error', async () => {
  const path = await temporaryFolder()
  const service = await startService({
    DATABASE_URL: `sqlite:${join(path, 'crm.db')}`,
    DATA_DIR: path,
    PORT: String(await freePort()),
    NODE_OPTIONS: `--import ${UNFORESEEN}`,
  })
  const ended = service.waitForExit()
  service.signal('SIGUSR2')
  expect(await ended).toEqual([1, null])
  const last = await service.waitForLine('Uncaught exception. The process exits.')
  expect(last.level).toBe(60)
  expect(last['err']).toMatchObject({ message: 'Key … of password=… failed', code: '57P01' })
  expect(JSON.stringify(service.lines)).not.toMatch(/canary|hunter2|0123/)
  expect(service.stderr()).toBe('')
})
