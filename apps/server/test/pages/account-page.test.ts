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
import { openService, openWorkspace } from '../support/test-service.ts'

const MINUTE = 60_000
const OTHER = 'another good password'
const NOWHERE = '00000000-0000-7000-8000-000000000000'

async function setUp(parts: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), parts)
  const acme = await openWorkspace(service)
  const ana = await addMemberWithPassword(service, acme)
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  return { service, acme, ana, browser }
}

test('an app that is disconnected is out with its next call, and only that app', async () => {
  const { service, acme, ana, browser } = await setUp()
  const mine = await acme.tokenFor(ana.email)
  const page = await browser.get('/account')
  expect(hiddenFieldsOf(page, '/account/apps/revoke')).toMatchObject({
    workspace: acme.id,
    client: acme.client_id,
  })
  for (const [workspace, client] of [
    [NOWHERE, acme.client_id],
    [acme.id, NOWHERE],
    ['%00', 'x'],
    ['', ''],
  ] as const) {
    expect((await browser.submit(page, '/account/apps/revoke', { workspace, client })).status).toBe(404)
  }
  expect(await statusWithToken(service, mine)).toBe(200)
  const done = await browser.submit(page, '/account/apps/revoke')
  expect([done.status, done.location]).toEqual([303, '/account?done=disconnected'])
  const after = await browser.get(done.location ?? '')
  expect(after.text).toContain('The app no longer has access.')
  expect(after.text).not.toContain('action="/account/apps/revoke"')
  expect([await statusWithToken(service, mine), await statusWithToken(service, acme.token)]).toEqual([
    401, 200,
  ])
  expect((await browser.submit(page, '/account/apps/revoke')).status).toBe(404)
})

test('what an address says was done is said only in words of ours', async () => {
  const { browser } = await setUp()
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

test('a new password asks for the present one, and signs out everywhere else', async () => {
  const { service, ana, browser } = await setUp()
  const elsewhere = openBrowser(service)
  await elsewhere.signIn(ana.email)
  const page = await browser.get('/account/password')
  const change = (current_password: string, new_password: string) =>
    browser.submit(page, '/account/password', { current_password, new_password })

  const wrong = await change('wrong password', OTHER)
  expect([wrong.status, wrong.text.includes('id="current_password-fault"')]).toEqual([422, true])
  const short = await change(PASSWORD, 'short')
  expect([short.status, short.text.includes('id="new_password-fault"')]).toEqual([422, true])
  expect((await elsewhere.get('/account')).status).toBe(200)

  const done = await change(PASSWORD, OTHER)
  expect([done.status, done.location]).toEqual([303, '/account?done=password-changed'])
  expect((await browser.get(done.location ?? '')).text).toContain('Your password is changed.')
  expect((await elsewhere.get('/account')).location).toBe('/sign-in')
  expect((await openBrowser(service).signIn(ana.email)).status).toBe(401)
  expect((await openBrowser(service).signIn(ana.email, OTHER)).status).toBe(303)
})

test('guesses at the present password are held back', async () => {
  const { browser } = await setUp()
  const page = await browser.get('/account/password')
  const change = (current_password: string) =>
    browser.submit(page, '/account/password', { current_password, new_password: OTHER })
  for (let tries = 0; tries < 5; tries += 1) expect((await change('wrong password')).status).toBe(422)
  const refused = await change(PASSWORD)
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '900'])
})

test('a password that was forgotten is set anew by a link, once, within half an hour', async () => {
  const { service, ana, browser } = await setUp()
  const guest = openBrowser(service)
  const ask = async () =>
    guest.submit(await guest.get('/password/forgot'), '/password/forgot', { email: ana.email })
  const asked = await ask()
  expect([asked.status, asked.location]).toEqual([303, '/password/forgot?done=mailed'])
  expect((await guest.get(asked.location ?? '')).text).toContain('Check your inbox')
  const [link = ''] = await sendMailAndListLinks(service)
  expect(link).toMatch(/^\/password\/reset\/crm_ln_[0-9a-f]{96}$/)

  const page = await guest.get(link)
  expect(page.text).toContain(ana.email)
  const short = await guest.submit(page, link, { new_password: 'short' })
  expect([short.status, short.text.includes('id="new_password-fault"')]).toEqual([422, true])
  const done = await guest.submit(page, link, { new_password: OTHER })
  expect([done.status, done.location]).toEqual([303, '/account?done=password-reset'])
  expect((await guest.get(done.location ?? '')).text).toContain('Your new password is set.')
  expect((await browser.get('/account')).location).toBe('/sign-in')
  expect((await openBrowser(service).signIn(ana.email, OTHER)).status).toBe(303)

  const again = openBrowser(service)
  const other = await again.get('/password/forgot')
  const used = await again.submit(other, '/password/forgot', {}).then(() => again.get(link))
  expect([used.status, used.text.includes('This link no longer works')]).toEqual([404, true])
  const late = hiddenFieldsOf(other, '/password/forgot')
  expect((await again.post(link, { ...late, new_password: PASSWORD })).status).toBe(404)

  await again.post('/password/forgot', { ...late, email: ana.email })
  const [second = ''] = await sendMailAndListLinks(service)
  service.advanceClock(30 * MINUTE)
  expect((await again.get(second)).status).toBe(404)
  expect((await again.post(second, { ...late, new_password: 'short' })).status).toBe(404)
})

test('who sets a new password is signed in, and whoever was signed in before is not', async () => {
  const { service, acme, ana, browser } = await setUp()
  const bob = await addMemberWithPassword(service, acme, 'bob')
  for (const { email } of [bob, bob, ana]) {
    await browser.submit(await browser.get('/password/forgot'), '/password/forgot', { email })
    const [link = ''] = await sendMailAndListLinks(service)
    const before = browser.jar.get('crm_session') ?? ''
    const done = await browser.submit(await browser.get(link), link, { new_password: OTHER })
    expect([done.status, done.location]).toEqual([303, '/account?done=password-reset'])
    expect((await browser.get('/account')).text).toContain(email)
    const rest = openBrowser(service)
    rest.jar.set('crm_session', before)
    expect((await rest.get('/account')).location).toBe('/sign-in')
  }
})

test('asking for a link tells nobody who has an account', async () => {
  const { service, ana } = await setUp()
  const answers: unknown[] = []
  for (const email of [ana.email, 'nobody@acme.example']) {
    const browser = openBrowser(service)
    const { status, location, text } = await browser.submit(
      await browser.get('/password/forgot'),
      '/password/forgot',
      { email },
    )
    answers.push([status, location, text])
  }
  expect(answers[0]).toEqual(answers[1])
  expect(await sendMailAndListLinks(service)).toHaveLength(1)
  const browser = openBrowser(service)
  const { status, text } = await browser.submit(await browser.get('/password/forgot'), '/password/forgot', {
    email: 'no address',
  })
  expect([status, text.includes('id="email-fault"'), text.includes('value="no address"')]).toEqual([
    422,
    true,
    true,
  ])
})

test('nobody gets more than three links an hour', async () => {
  const { service } = await setUp()
  const browser = openBrowser(service)
  const page = await browser.get('/password/forgot')
  const ask = () => browser.submit(page, '/password/forgot', { email: 'nobody@acme.example' })
  for (let asked = 0; asked < 3; asked += 1) expect((await ask()).status).toBe(303)
  const refused = await ask()
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600'])
  expect(refused.text).toContain('action="/password/forgot"')
  expect(refused.text).toContain(
    'We have sent several e‑mails already. Wait 60 minutes before asking for another.',
  )
})

test('pages of an account are for whoever is signed in', async () => {
  const { service, acme } = await setUp()
  const guest = openBrowser(service)
  for (const path of ['/account', '/account/password', `/workspaces/${acme.slug}/team`]) {
    const { status, location } = await guest.get(path)
    expect([status, location]).toEqual([303, '/sign-in'])
  }
  const form = hiddenFieldsOf(await guest.get('/sign-in'), '/sign-in')
  for (const path of ['/account/password', '/account/apps/revoke', `/workspaces/${acme.slug}/team/invite`]) {
    const { status, location } = await guest.post(path, form)
    expect([status, location]).toEqual([303, '/sign-in'])
  }
})
