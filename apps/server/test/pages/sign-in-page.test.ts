import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { authorizationParameters, authorize } from '../support/oauth-requests.ts'
import {
  addMemberWithPassword,
  hiddenFieldsOf,
  openBrowser,
  PASSWORD,
  type PageResponse,
} from '../support/page-browser.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

async function openTestService(options: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), options)
  const acme = await openWorkspace(service)
  return { service, acme, ana: await addMemberWithPassword(service, acme) }
}

/** The parts of a page that do not differ per response. */
function stableParts({ status, text }: PageResponse): unknown[] {
  return [status, text.replaceAll(/value="[0-9a-f]{64}"/g, 'value="(csrf)"')]
}

test('the form sets a session cookie, and sign-in sets one for the lifetime of the session', async () => {
  const { service, ana } = await openTestService()
  const browser = openBrowser(service)
  const page = await browser.get('/sign-in')
  expect(page.cookies).toEqual([
    expect.stringMatching(/^crm_session=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  expect((await browser.get('/sign-in')).cookies).toEqual([])
  const response = await browser.submit(page, '/sign-in', { email: ana.email, password: PASSWORD })
  expect([response.status, response.location]).toEqual([303, '/'])
  expect(response.cookies).toEqual([
    expect.stringMatching(
      /^crm_session=crm_ses_[0-9a-f]{96}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ])
  expect((await browser.get('/account')).status).toBe(200)
})

test('with https, the cookie has the __Host- prefix and the Secure attribute', async () => {
  const { service, ana } = await openTestService({ issuer: 'https://crm.example' })
  const browser = openBrowser(service)
  const page = await browser.get('/sign-in')
  expect(page.cookies).toEqual([
    expect.stringMatching(/^__Host-crm_session=[0-9a-f]{64}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
  const response = await browser.submit(page, '/sign-in', { email: ana.email, password: PASSWORD })
  expect(response.cookies).toEqual([
    expect.stringMatching(
      /^__Host-crm_session=crm_ses_[0-9a-f]{96}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  expect((await browser.get('/account')).status).toBe(200)
  const plain = browser.jar.get('__Host-crm_session')
  browser.jar.clear()
  browser.jar.set('crm_session', plain ?? '')
  expect((await browser.get('/account')).location).toBe('/sign-in?page=/account')
})

test('a session expires after 14 days', async () => {
  const { service, ana } = await openTestService()
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  service.advanceClock(14 * DAY - 1)
  expect((await browser.get('/account')).status).toBe(200)
  service.advanceClock(1)
  expect((await browser.get('/account')).location).toBe('/sign-in?page=/account')
})

test('a sign-in leads back to the page that required it', async () => {
  const { service, ana } = await openTestService()
  for (const path of ['/account', '/account/password', '/workspaces/acme/members']) {
    const browser = openBrowser(service)
    const { location } = await browser.get(path)
    expect(location).toBe(`/sign-in?page=${path}`)
    const page = await browser.get(location ?? '')
    const refused = await browser.submit(page, '/sign-in', { email: ana.email, password: 'wrong password' })
    const response = await browser.submit(refused, '/sign-in', { email: ana.email, password: PASSWORD })
    expect(response.location).toBe(path)
  }
})

test.each([
  'https://evil.example/account',
  '//evil.example',
  '/account/../v1/people',
  '/account?done=x',
  '/workspaces/a/b/members',
  '/sign-out',
])('a sign-in leads to the start page rather than to %s', async (target) => {
  const { service, ana } = await openTestService()
  const browser = openBrowser(service)
  const page = await browser.get(`/sign-in?page=${encodeURIComponent(target)}`)
  expect(page.text).not.toContain('name="page"')
  const response = await browser.submit(page, '/sign-in', {
    page: target,
    email: ana.email,
    password: PASSWORD,
  })
  expect(response.location).toBe('/')
})

test('redirects a signed-in user', async () => {
  const { service, ana } = await openTestService()
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  expect((await browser.get('/sign-in')).location).toBe('/')
  expect((await browser.get(`/sign-in?request=${UNKNOWN_ID}`)).location).toBe(
    `/oauth/consent?request=${UNKNOWN_ID}`,
  )
})

test('failed sign-ins do not reveal whether the account or a password exists', async () => {
  const { service, acme, ana } = await openTestService()
  const pages: unknown[] = []
  for (const email of [ana.email, acme.owner.email, 'nobody@acme.example', 'no address']) {
    const page = await openBrowser(service).signIn(email, 'wrong password')
    expect([page.status, page.location, page.headers.get('WWW-Authenticate')]).toEqual([401, null, 'Bearer'])
    expect(page.text).toContain('E‑mail and password do not match.')
    expect(page.text).toContain(`value="${email}"`)
    expect(page.text).not.toContain('wrong password')
    pages.push(stableParts({ ...page, text: page.text.replace(`value="${email}"`, 'value="(email)"') }))
  }
  expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
})

test('a missing or repeated field is a 422 with an error at the field', async () => {
  const { service, ana } = await openTestService()
  const browser = openBrowser(service)
  const page = await browser.get('/sign-in')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const empty = await browser.post('/sign-in', { csrf, email: ana.email })
  expect([empty.status, /id="password-error"/.test(empty.text), /id="email-error"/.test(empty.text)]).toEqual(
    [422, true, false],
  )
  const repeated = await browser.post('/sign-in', [
    ['csrf', csrf],
    ['email', ana.email],
    ['email', 'other@acme.example'],
    ['password', PASSWORD],
  ])
  expect([repeated.status, /id="email-error"/.test(repeated.text)]).toEqual([422, true])
})

test('rejects the sixth attempt within 15 minutes, even with the right password, per address', async () => {
  const { service, ana } = await openTestService({ trustProxy: 1 })
  const from = (address: string) => openBrowser(service, { 'X-Forwarded-For': address })
  const browser = from('10.0.0.1')
  for (let attempts = 0; attempts < 5; attempts += 1)
    expect((await browser.signIn(ana.email, 'wrong password')).status).toBe(401)
  service.advanceClock(MINUTE)
  const rejected = await browser.signIn(ana.email.toUpperCase())
  expect([rejected.status, rejected.headers.get('Retry-After'), rejected.location]).toEqual([
    429,
    '840',
    null,
  ])
  expect(rejected.text).toContain('Too many tries. Wait 14 minutes')
  expect(rejected.text).toContain('action="/sign-in"')
  expect((await from('10.0.0.2').signIn(ana.email)).status).toBe(303)
  service.advanceClock(14 * MINUTE)
  expect((await browser.signIn(ana.email)).status).toBe(303)
})

test('sign-in redirects only to the start page or a consent request', async () => {
  const { service, acme, ana } = await openTestService()
  const authorization = await authorize(service.app, authorizationParameters(acme))
  const request =
    new URL(authorization.headers.get('Location') ?? '', 'http://x').searchParams.get('request') ?? ''
  expect((await openBrowser(service).signIn(ana.email, PASSWORD, request)).location).toBe(
    `/oauth/consent?request=${request}`,
  )
  const invalidRequests = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '..%2f..%2f',
    `${request}/../..`,
    `${request}\r\nX: y`,
    '',
  ]
  for (const value of invalidRequests) {
    const browser = openBrowser(service)
    const page = await browser.get(`/sign-in?request=${encodeURIComponent(value)}&return=//evil.example`)
    const form = { email: ana.email, password: PASSWORD, request: value, next: '//evil.example' }
    expect(page.text).not.toContain('evil')
    expect((await browser.submit(page, '/sign-in', form)).location).toBe('/')
  }
})

test('signing in as another user ends the previous session', async () => {
  const { service, acme, ana } = await openTestService()
  const bob = await addMemberWithPassword(service, acme, 'bob')
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  const before = browser.jar.get('crm_session') ?? ''
  const form = hiddenFieldsOf(await browser.get('/account'), '/sign-out')
  const rejected = await browser.post('/sign-in', { ...form, email: bob.email, password: 'wrong password' })
  expect([rejected.status, (await browser.get('/account')).text.includes(ana.email)]).toEqual([401, true])
  expect((await browser.post('/sign-in', { ...form, email: bob.email, password: PASSWORD })).location).toBe(
    '/',
  )
  expect((await browser.get('/account')).text).toContain(bob.email)
  browser.jar.set('crm_session', before)
  expect((await browser.get('/account')).location).toBe('/sign-in?page=/account')
})

test('truncates a submitted email address to the maximum length', async () => {
  const { service } = await openTestService()
  const { text } = await openBrowser(service).signIn('x'.repeat(5000), 'wrong password')
  expect(text).toContain(`value="${'x'.repeat(254)}"`)
})

test('sign-out ends the session, clears the cookie and redirects to sign-in', async () => {
  const { service, ana } = await openTestService()
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  const token = browser.jar.get('crm_session') ?? ''
  const signedOut = await browser.submit(await browser.get('/account'), '/sign-out')
  expect([signedOut.status, signedOut.location]).toEqual([303, '/sign-in'])
  expect(signedOut.cookies).toEqual(['crm_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
  browser.jar.set('crm_session', token)
  expect((await browser.get('/account')).location).toBe('/sign-in?page=/account')
})

test('ignores and replaces an invalid cookie', async () => {
  const { service } = await openTestService()
  for (const value of ['', 'x', '%00', 'a'.repeat(10_000), '"quoted"', "' or 1=1 --"]) {
    const browser = openBrowser(service)
    browser.jar.set('crm_session', value)
    expect((await browser.get('/account')).location).toBe('/sign-in?page=/account')
    expect((await browser.get('/sign-in')).cookies).toEqual([
      expect.stringMatching(/^crm_session=[0-9a-f]{64};/),
    ])
  }
})

test('ignores the cookie of an unknown session', async () => {
  const { service, ana } = await openTestService()
  const browser = openBrowser(service)
  browser.jar.set('crm_session', `crm_ses_${'0'.repeat(96)}`)
  expect((await browser.get('/account')).location).toBe('/sign-in?page=/account')
  expect((await browser.signIn(ana.email)).location).toBe('/')
})
