import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { DatabaseLocation } from '../support/database-location.ts'
import {
  authorizationParameters,
  authorize,
  exchangeCode,
  postForm,
  refreshTokens,
  statusWithToken,
  tokensOf,
} from '../support/oauth-requests.ts'
import { addMemberWithPassword, openBrowser, PASSWORD } from '../support/page-browser.ts'
import { mailLinksTo } from '../support/queued-mail.ts'
import { describePersistentStores } from '../support/stores.ts'
import {
  openService,
  openWorkspace,
  type Service,
  sendRequest,
  type Workspace,
} from '../support/test-service.ts'

const NEW_PASSWORD = 'another horse battery'
const INVITED_PASSWORD = 'battery of the invited'

/** Returns the whole database, and the files beside a SQLite file, as text. */
async function dumpDatabase({ driver, location }: DatabaseLocation): Promise<string> {
  if (driver === 'postgres') return dumpPostgres(location)
  const file = new Database(location, { readonly: true })
  const tables = file
    .prepare("select name from sqlite_master where type = 'table' and sql not like 'create virtual%'")
    .pluck()
    .all()
  const rows = tables.flatMap((table) => file.prepare(`select * from "${table}"`).all())
  file.close()
  const files = readdirSync(dirname(location)).map((name) =>
    readFileSync(`${dirname(location)}/${name}`, 'latin1'),
  )
  return JSON.stringify(rows) + files.join('')
}

async function dumpPostgres(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'")
  const tables: string[] = []
  for (const { tablename } of rows) {
    const { rows: texts } = await client.query(`select t::text as text from "${tablename}" t`)
    tables.push(...texts.map(({ text }) => text))
  }
  await client.end()
  return tables.join('\n')
}

/** Uses every kind of secret once and returns them by name. Calls `onMailQueued` while mail is queued. */
async function exerciseEverySecret(
  service: Service,
  acme: Workspace,
  onMailQueued: () => Promise<void>,
): Promise<Record<string, string>> {
  const { app } = service
  const latestLinkTo = async (email: string) => {
    await onMailQueued()
    return (await mailLinksTo(service, email)).at(-1)!
  }
  const secrets: Record<string, string> = {
    password: PASSWORD,
    'new password': NEW_PASSWORD,
    'operator secret': acme.client_secret,
  }
  const person = await addMemberWithPassword(service, acme, 'ana', 'owner')
  const browser = openBrowser(service)

  const registration = await sendRequest(app, 'POST', '/v1/auth/register-app', {
    ...{
      name: 'Radar',
      email: `dev@${acme.slug}.example`,
      redirect_uris: ['https://app.example/cb'],
      scopes: ['people:read'],
    },
  })
  expect(registration.status).toBe(201)
  const credentials = await latestLinkTo(`dev@${acme.slug}.example`)
  secrets['credentials link'] = credentials.split('/').at(-1)!
  const credentialsPage = await browser.submit(await browser.get(credentials), credentials)
  secrets['client secret'] =
    /\b[0-9a-f]{64}\b/.exec(credentialsPage.text.replaceAll(/<input type="hidden"[^>]*>/g, ''))?.[0] ?? ''

  const { location } = await browser.get(
    `/oauth/authorize?${new URLSearchParams(authorizationParameters(acme))}`,
  )
  const request = new URL(location ?? '', 'http://x').searchParams.get('request') ?? ''
  await browser.signIn(person.email, PASSWORD, request)
  secrets['session'] = [...browser.jar.values()].at(-1)!
  const consent = await browser.get(`/oauth/consent?request=${request}`)
  const redirectUrl = new URL(
    (await browser.submit(consent, '/oauth/consent', { workspace: acme.id, decision: 'approve' })).location ??
      '',
  )
  expect([...redirectUrl.searchParams.keys()]).toEqual(['code', 'iss'])
  secrets['code'] = redirectUrl.searchParams.get('code')!
  const first = tokensOf(await exchangeCode(service, acme, secrets['code']))
  const second = tokensOf(await refreshTokens(service, acme, first.refresh_token))
  expect(await statusWithToken(service, second.access_token)).toBe(200)
  secrets['replaced refresh token'] = first.refresh_token
  secrets['refresh token'] = second.refresh_token
  secrets['access token'] = second.access_token
  await refreshTokens(service, acme, first.refresh_token)
  await exchangeCode(service, acme, secrets['code'], { client_secret: 'f'.repeat(64) })

  const forgotPage = await browser.get('/password/forgot')
  await browser.submit(forgotPage, '/password/forgot', { email: person.email })
  const reset = await latestLinkTo(person.email)
  secrets['reset link'] = reset.split('/').at(-1)!
  await browser.submit(await browser.get(reset), reset, { new_password: NEW_PASSWORD })
  secrets['session after the reset'] = [...browser.jar.values()].at(-1)!
  const membersPath = `/workspaces/${acme.slug}/members`
  await browser.submit(await browser.get(membersPath), `${membersPath}/invite`, {
    email: `nia@${acme.slug}.example`,
    role: 'member',
  })
  const invitation = await latestLinkTo(`nia@${acme.slug}.example`)
  secrets['invitation'] = invitation.split('/').at(-1)!
  const invitedBrowser = openBrowser(service)
  const joinPage = await invitedBrowser.submit(await invitedBrowser.get(invitation), invitation, {
    name: 'Nia',
    password: INVITED_PASSWORD,
  })
  expect(joinPage.status).toBe(200)
  secrets['password of the invited'] = INVITED_PASSWORD
  await onMailQueued()
  await authorize(app, authorizationParameters(acme, { state: 'a-state-that-is-nobodys-business' }), {
    Cookie: 'x=cookie-canary',
  })
  await postForm(app, '/oauth/revoke', {
    token: second.access_token,
    client_id: acme.client_id,
    client_secret: acme.client_secret,
  })
  return secrets
}

describePersistentStores('a secret', (createDatabase) => {
  test('is stored or logged nowhere in plain text', async () => {
    const { database, open } = await createDatabase()
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const service = await openService(await open(), { log })
    const acme = await openWorkspace(service)
    const dumps: string[] = []
    const secrets = await exerciseEverySecret(
      service,
      acme,
      async () => void dumps.push(await dumpDatabase(database)),
    )
    dumps.push(await dumpDatabase(database))

    expect(Object.entries(secrets).filter(([, secret]) => secret.length < 16)).toEqual([])
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length)
    // Checks that the dumps and the log include the data in question.
    expect(dumps.at(-1)).toContain(`nia@${acme.slug}.example`)
    for (const dump of dumps)
      expect(Object.keys(secrets).filter((name) => dump.includes(secrets[name]!))).toEqual([])
    const logText = lines.join('')
    expect(logText).toContain('/credentials/:token')
    expect(Object.keys(secrets).filter((name) => logText.includes(secrets[name]!))).toEqual([])
    expect(logText).not.toMatch(/nobodys-business|cookie-canary|eyJ/)
  })
})
