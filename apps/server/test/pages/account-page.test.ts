import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { statusWithToken } from '../support/oauth-requests.ts'
import {
  addMemberWithPassword,
  hiddenFieldsOf,
  openBrowser,
  PASSWORD,
  sendMailAndListLinks,
} from '../support/page-browser.ts'
import { openService, openWorkspace, sendRequest } from '../support/test-service.ts'

const MINUTE = 60_000
const OTHER = 'another good password'
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

async function openTestService(options: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), options)
  const acme = await openWorkspace(service)
  const ana = await addMemberWithPassword(service, acme)
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  return { service, acme, ana, browser }
}

test("disconnecting an app revokes its access at once, and no other app's", async () => {
  const { service, acme, ana, browser } = await openTestService()
  const token = await acme.tokenFor(ana.email)
  const page = await browser.get('/account')
  expect(hiddenFieldsOf(page, '/account/apps/revoke')).toMatchObject({
    workspace: acme.id,
    client: acme.client_id,
  })
  for (const [workspace, client] of [
    [UNKNOWN_ID, acme.client_id],
    [acme.id, UNKNOWN_ID],
    ['%00', 'x'],
    ['', ''],
  ] as const) {
    expect((await browser.submit(page, '/account/apps/revoke', { workspace, client })).status).toBe(404)
  }
  expect(await statusWithToken(service, token)).toBe(200)
  const done = await browser.submit(page, '/account/apps/revoke')
  expect([done.status, done.location]).toEqual([303, '/account?done=disconnected'])
  const after = await browser.get(done.location ?? '')
  expect(after.text).toContain('The app no longer has access.')
  expect(after.text).not.toContain('action="/account/apps/revoke"')
  expect([await statusWithToken(service, token), await statusWithToken(service, acme.token)]).toEqual([
    401, 200,
  ])
  expect((await browser.submit(page, '/account/apps/revoke')).status).toBe(404)
})

test('a changed password offers to disconnect the apps, and says how many there are', async () => {
  const { service, acme, ana, browser } = await openTestService()
  const change = async (current_password: string, new_password: string) => {
    const done = await browser.submit(await browser.get('/account/password'), '/account/password', {
      current_password,
      new_password,
    })
    return browser.get(done.location ?? '')
  }
  expect((await change(PASSWORD, OTHER)).text).not.toContain('/account/apps/revoke-all')
  const token = await acme.tokenFor(ana.email)
  expect((await browser.get('/account')).text).not.toContain('/account/apps/revoke-all')
  const page = await change(OTHER, PASSWORD)
  expect(page.text).toContain('One app that you let in keeps its access.')
  const done = await browser.submit(page, '/account/apps/revoke-all')
  expect([done.status, done.location]).toEqual([303, '/account?done=all-disconnected'])
  expect((await browser.get(done.location ?? '')).text).toContain('No app has access any more.')
  expect([await statusWithToken(service, token), await statusWithToken(service, acme.token)]).toEqual([
    401, 200,
  ])
})

test('ignores unknown values of the done parameter', async () => {
  const { browser } = await openTestService()
  for (const done of [
    'nothing',
    'constructor',
    '__proto__',
    '<b>x',
    'disconnected&done=disconnected',
    '%00',
  ]) {
    const { status, text } = await browser.get(`/account?done=${done}`)
    expect([status, text.includes('role="status"')]).toEqual([200, false])
  }
})

test('a new password requires the current one and ends all other sessions', async () => {
  const { service, ana, browser } = await openTestService()
  const otherBrowser = openBrowser(service)
  await otherBrowser.signIn(ana.email)
  const page = await browser.get('/account/password')
  const change = (current_password: string, new_password: string) =>
    browser.submit(page, '/account/password', { current_password, new_password })

  const wrong = await change('wrong password', OTHER)
  expect([wrong.status, wrong.text.includes('id="current_password-error"')]).toEqual([422, true])
  const short = await change(PASSWORD, 'short')
  expect([short.status, short.text.includes('id="new_password-error"')]).toEqual([422, true])
  expect((await otherBrowser.get('/account')).status).toBe(200)

  const done = await change(PASSWORD, OTHER)
  expect([done.status, done.location]).toEqual([303, '/account?done=password-changed'])
  expect((await browser.get(done.location ?? '')).text).toContain('Your password is changed.')
  expect((await otherBrowser.get('/account')).location).toBe('/sign-in?page=/account')
  expect((await openBrowser(service).signIn(ana.email)).status).toBe(401)
  expect((await openBrowser(service).signIn(ana.email, OTHER)).status).toBe(303)
})

test('limits guesses of the current password', async () => {
  const { browser } = await openTestService()
  const page = await browser.get('/account/password')
  const change = (current_password: string) =>
    browser.submit(page, '/account/password', { current_password, new_password: OTHER })
  for (let tries = 0; tries < 5; tries += 1) expect((await change('wrong password')).status).toBe(422)
  const rejected = await change(PASSWORD)
  expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '900'])
})

test('a reset link sets a new password once, within 30 minutes', async () => {
  const { service, ana, browser } = await openTestService()
  const guest = openBrowser(service)
  const requestLink = async () =>
    guest.submit(await guest.get('/password/forgot'), '/password/forgot', { email: ana.email })
  const requested = await requestLink()
  expect([requested.status, requested.location]).toEqual([303, '/password/forgot?done=mailed'])
  expect((await guest.get(requested.location ?? '')).text).toContain('Check your inbox')
  const [link = ''] = await sendMailAndListLinks(service)
  expect(link).toMatch(/^\/password\/reset\/crm_ln_[0-9a-f]{96}$/)

  const page = await guest.get(link)
  expect(page.text).toContain(ana.email)
  const short = await guest.submit(page, link, { new_password: 'short' })
  expect([short.status, short.text.includes('id="new_password-error"')]).toEqual([422, true])
  const done = await guest.submit(page, link, { new_password: OTHER })
  expect([done.status, done.location]).toEqual([303, '/account?done=password-reset'])
  expect((await guest.get(done.location ?? '')).text).toContain('Your new password is set.')
  expect((await browser.get('/account')).location).toBe('/sign-in?page=/account')
  expect((await openBrowser(service).signIn(ana.email, OTHER)).status).toBe(303)

  const otherGuest = openBrowser(service)
  const forgotPage = await otherGuest.get('/password/forgot')
  const used = await otherGuest.submit(forgotPage, '/password/forgot', {}).then(() => otherGuest.get(link))
  expect([used.status, used.text.includes('This link no longer works')]).toEqual([404, true])
  const form = hiddenFieldsOf(forgotPage, '/password/forgot')
  expect((await otherGuest.post(link, { ...form, new_password: PASSWORD })).status).toBe(404)

  await otherGuest.post('/password/forgot', { ...form, email: ana.email })
  const [second = ''] = await sendMailAndListLinks(service)
  service.advanceClock(30 * MINUTE)
  expect((await otherGuest.get(second)).status).toBe(404)
  expect((await otherGuest.post(second, { ...form, new_password: 'short' })).status).toBe(404)
})

test('a password reset signs the user in and ends the previous session of the browser', async () => {
  const { service, acme, ana, browser } = await openTestService()
  const bob = await addMemberWithPassword(service, acme, 'bob')
  for (const { email } of [bob, bob, ana]) {
    await browser.submit(await browser.get('/password/forgot'), '/password/forgot', { email })
    const [link = ''] = await sendMailAndListLinks(service)
    const before = browser.jar.get('crm_session') ?? ''
    const done = await browser.submit(await browser.get(link), link, { new_password: OTHER })
    expect([done.status, done.location]).toEqual([303, '/account?done=password-reset'])
    expect((await browser.get('/account')).text).toContain(email)
    const previousSession = openBrowser(service)
    previousSession.jar.set('crm_session', before)
    expect((await previousSession.get('/account')).location).toBe('/sign-in?page=/account')
  }
})

test('a reset request does not reveal whether the account exists', async () => {
  const { service, ana } = await openTestService()
  const responses: unknown[] = []
  for (const email of [ana.email, 'nobody@acme.example']) {
    const browser = openBrowser(service)
    const { status, location, text } = await browser.submit(
      await browser.get('/password/forgot'),
      '/password/forgot',
      { email },
    )
    responses.push([status, location, text])
  }
  expect(responses[0]).toEqual(responses[1])
  expect(await sendMailAndListLinks(service)).toHaveLength(1)
  const browser = openBrowser(service)
  const { status, text } = await browser.submit(await browser.get('/password/forgot'), '/password/forgot', {
    email: 'no address',
  })
  expect([status, text.includes('id="email-error"'), text.includes('value="no address"')]).toEqual([
    422,
    true,
    true,
  ])
})

test('limits reset links to three an hour per address', async () => {
  const { service } = await openTestService()
  const browser = openBrowser(service)
  const page = await browser.get('/password/forgot')
  const requestLink = () => browser.submit(page, '/password/forgot', { email: 'nobody@acme.example' })
  for (let requests = 0; requests < 3; requests += 1) expect((await requestLink()).status).toBe(303)
  const rejected = await requestLink()
  expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '3600'])
  expect(rejected.text).toContain('action="/password/forgot"')
  expect(rejected.text).toContain(
    'We have sent several e‑mails already. Wait 60 minutes before asking for another.',
  )
})

test('account pages redirect guests to sign-in', async () => {
  const { service, acme } = await openTestService()
  const guest = openBrowser(service)
  for (const path of ['/account', '/account/password', `/workspaces/${acme.slug}/members`]) {
    const { status, location } = await guest.get(path)
    expect([status, location]).toEqual([303, `/sign-in?page=${path}`])
  }
  const form = hiddenFieldsOf(await guest.get('/sign-in'), '/sign-in')
  for (const path of [
    '/account/password',
    '/account/apps/revoke',
    '/account/apps/revoke-all',
    `/workspaces/${acme.slug}/members/invite`,
  ]) {
    const { status, location } = await guest.post(path, form)
    expect([status, location]).toEqual([303, '/sign-in'])
  }
})

test('removing the console signs out every other browser, and one press signs out this one too', async () => {
  const { service, ana, browser } = await openTestService()
  const other = openBrowser(service)
  await other.signIn(ana.email)
  const enterConsole = async ({ jar }: typeof browser) => {
    const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Cookie, 'Sec-Fetch-Site': 'same-origin' }
    return (await sendRequest(service.app, 'POST', '/session/token', {}, { headers })).status
  }
  expect([await enterConsole(browser), await enterConsole(other)]).toEqual([200, 200])
  const done = await browser.submit(await browser.get('/account'), '/account/apps/revoke')
  expect((await browser.get(done.location ?? '')).text).toContain('Every other browser was signed out.')
  expect((await other.get('/account')).status).toBe(303)
  expect([await enterConsole(browser), await enterConsole(other)]).toEqual([200, 401])
  const out = await browser.submit(await browser.get('/account'), '/sign-out/everywhere')
  expect(out.location).toBe('/sign-in')
  expect((await browser.get('/account')).status).toBe(303)
})
