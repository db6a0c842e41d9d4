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
const NOWHERE = '00000000-0000-7000-8000-000000000000'

async function setUp(parts: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), parts)
  const acme = await openWorkspace(service)
  return { service, acme, ana: await addMemberWithPassword(service, acme) }
}

/** A page but for what is different each time. */
function stableParts({ status, text }: PageResponse): unknown[] {
  return [status, text.replaceAll(/value="[0-9a-f]{64}"/g, 'value="(csrf)"')]
}

test('a form comes with a cookie that lasts as long as the browser, and signing in gives one that lasts as long as the session', async () => {
  const { service, ana } = await setUp()
  const browser = openBrowser(service)
  const page = await browser.get('/sign-in')
  expect(page.cookies).toEqual([
    expect.stringMatching(/^crm_session=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  expect((await browser.get('/sign-in')).cookies).toEqual([])
  const answer = await browser.submit(page, '/sign-in', { email: ana.email, password: PASSWORD })
  expect([answer.status, answer.location]).toEqual([303, '/account'])
  expect(answer.cookies).toEqual([
    expect.stringMatching(
      /^crm_session=crm_ses_[0-9a-f]{96}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ])
  expect((await browser.get('/account')).status).toBe(200)
})

test('under https the cookie is for this host and for https alone', async () => {
  const { service, ana } = await setUp({ issuer: 'https://crm.example' })
  const browser = openBrowser(service)
  const page = await browser.get('/sign-in')
  expect(page.cookies).toEqual([
    expect.stringMatching(/^__Host-crm_session=[0-9a-f]{64}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
  const answer = await browser.submit(page, '/sign-in', { email: ana.email, password: PASSWORD })
  expect(answer.cookies).toEqual([
    expect.stringMatching(
      /^__Host-crm_session=crm_ses_[0-9a-f]{96}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  expect((await browser.get('/account')).status).toBe(200)
  const plain = browser.jar.get('__Host-crm_session')
  browser.jar.clear()
  browser.jar.set('crm_session', plain ?? '')
  expect((await browser.get('/account')).location).toBe('/sign-in')
})

test('a session is over after 14 days', async () => {
  const { service, ana } = await setUp()
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  service.advanceClock(14 * DAY - 1)
  expect((await browser.get('/account')).status).toBe(200)
  service.advanceClock(1)
  expect((await browser.get('/account')).location).toBe('/sign-in')
})

test('whoever is signed in already is sent on', async () => {
  const { service, ana } = await setUp()
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  expect((await browser.get('/sign-in')).location).toBe('/account')
  expect((await browser.get(`/sign-in?request=${NOWHERE}`)).location).toBe(
    `/oauth/consent?request=${NOWHERE}`,
  )
})

test('a wrong password, an address that nobody has and one without a password are told apart by nobody', async () => {
  const { service, acme, ana } = await setUp()
  const pages: unknown[] = []
  for (const email of [ana.email, acme.owner.email, 'nobody@acme.example', 'no address']) {
    const seen = await openBrowser(service).signIn(email, 'wrong password')
    expect([seen.status, seen.location, seen.headers.get('WWW-Authenticate')]).toEqual([401, null, 'Bearer'])
    expect(seen.text).toContain('E‑mail and password do not match.')
    expect(seen.text).toContain(`value="${email}"`)
    expect(seen.text).not.toContain('wrong password')
    pages.push(stableParts({ ...seen, text: seen.text.replace(`value="${email}"`, 'value="(email)"') }))
  }
  expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
})

test('what is left out is a 422 that says so at the field, and so is what was sent twice', async () => {
  const { service, ana } = await setUp()
  const browser = openBrowser(service)
  const page = await browser.get('/sign-in')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const empty = await browser.post('/sign-in', { csrf, email: ana.email })
  expect([empty.status, /id="password-fault"/.test(empty.text), /id="email-fault"/.test(empty.text)]).toEqual(
    [422, true, false],
  )
  const twice = await browser.post('/sign-in', [
    ['csrf', csrf],
    ['email', ana.email],
    ['email', 'other@acme.example'],
    ['password', PASSWORD],
  ])
  expect([twice.status, /id="email-fault"/.test(twice.text)]).toEqual([422, true])
})

test('the sixth try in a quarter of an hour is refused even with the right password, from that address alone', async () => {
  const { service, ana } = await setUp({ trustProxy: 1 })
  const from = (address: string) => openBrowser(service, { 'X-Forwarded-For': address })
  const browser = from('10.0.0.1')
  for (let tries = 0; tries < 5; tries += 1)
    expect((await browser.signIn(ana.email, 'wrong password')).status).toBe(401)
  service.advanceClock(MINUTE)
  const refused = await browser.signIn(ana.email.toUpperCase())
  expect([refused.status, refused.headers.get('Retry-After'), refused.location]).toEqual([429, '840', null])
  expect(refused.text).toContain('Too many tries. Wait 14 minutes')
  expect(refused.text).toContain('action="/sign-in"')
  expect((await from('10.0.0.2').signIn(ana.email)).status).toBe(303)
  service.advanceClock(14 * MINUTE)
  expect((await browser.signIn(ana.email)).status).toBe(303)
})

test('where signing in leads is never more than a request of an app', async () => {
  const { service, acme, ana } = await setUp()
  const begun = await authorize(service.app, authorizationParameters(acme))
  const request = new URL(begun.headers.get('Location') ?? '', 'http://x').searchParams.get('request') ?? ''
  expect((await openBrowser(service).signIn(ana.email, PASSWORD, request)).location).toBe(
    `/oauth/consent?request=${request}`,
  )
  const hostile = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '..%2f..%2f',
    `${request}/../..`,
    `${request}\r\nX: y`,
    '',
  ]
  for (const value of hostile) {
    const browser = openBrowser(service)
    const page = await browser.get(`/sign-in?request=${encodeURIComponent(value)}&return=//evil.example`)
    const form = { email: ana.email, password: PASSWORD, request: value, next: '//evil.example' }
    expect(page.text).not.toContain('evil')
    expect((await browser.submit(page, '/sign-in', form)).location).toBe('/account')
  }
})

test('signing in as another ends the session before', async () => {
  const { service, acme, ana } = await setUp()
  const bob = await addMemberWithPassword(service, acme, 'bob')
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  const before = browser.jar.get('crm_session') ?? ''
  const form = hiddenFieldsOf(await browser.get('/account'), '/sign-out')
  const refused = await browser.post('/sign-in', { ...form, email: bob.email, password: 'wrong password' })
  expect([refused.status, (await browser.get('/account')).text.includes(ana.email)]).toEqual([401, true])
  expect((await browser.post('/sign-in', { ...form, email: bob.email, password: PASSWORD })).location).toBe(
    '/account',
  )
  expect((await browser.get('/account')).text).toContain(bob.email)
  browser.jar.set('crm_session', before)
  expect((await browser.get('/account')).location).toBe('/sign-in')
})

test('of an e-mail that was sent no more is shown again than one can have', async () => {
  const { service } = await setUp()
  const { text } = await openBrowser(service).signIn('x'.repeat(5000), 'wrong password')
  expect(text).toContain(`value="${'x'.repeat(254)}"`)
})

test('signing out ends the session, takes the cookie away and leads to signing in, for the same request', async () => {
  const { service, ana } = await setUp()
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  const token = browser.jar.get('crm_session') ?? ''
  const out = await browser.submit(await browser.get('/account'), '/sign-out')
  expect([out.status, out.location]).toEqual([303, '/sign-in'])
  expect(out.cookies).toEqual(['crm_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
  browser.jar.set('crm_session', token)
  expect((await browser.get('/account')).location).toBe('/sign-in')
})

test('a cookie that was never ours is nobody, and is replaced', async () => {
  const { service } = await setUp()
  for (const value of ['', 'x', '%00', 'a'.repeat(10_000), '"quoted"', "' or 1=1 --"]) {
    const browser = openBrowser(service)
    browser.jar.set('crm_session', value)
    expect((await browser.get('/account')).location).toBe('/sign-in')
    expect((await browser.get('/sign-in')).cookies).toEqual([
      expect.stringMatching(/^crm_session=[0-9a-f]{64};/),
    ])
  }
})

test('the cookie of a session that never was is nobody', async () => {
  const { service, ana } = await setUp()
  const browser = openBrowser(service)
  browser.jar.set('crm_session', `crm_ses_${'0'.repeat(96)}`)
  expect((await browser.get('/account')).location).toBe('/sign-in')
  expect((await browser.signIn(ana.email)).location).toBe('/account')
})
