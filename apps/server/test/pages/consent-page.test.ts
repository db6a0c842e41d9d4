import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import {
  authorizationParameters,
  authorize,
  exchangeCode,
  statusWithToken,
  tokensOf,
} from '../support/oauth-requests.ts'
import {
  addMemberWithPassword,
  type Browser,
  hiddenFieldsOf,
  openBrowser,
  type PageResponse,
} from '../support/page-browser.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace, type Service, type Workspace } from '../support/test-service.ts'

const MINUTE = 60_000
const PATH = '/oauth/consent'
const ISSUER = 'http://127.0.0.1:3000'

async function signedIn(service: Service, email: string): Promise<Browser> {
  const browser = openBrowser(service)
  expect((await browser.signIn(email)).status).toBe(303)
  return browser
}

/** The path an app sends the browser to, as `authorize` gives it. */
async function askedBy(
  service: Service,
  app: Pick<Workspace, 'client_id'>,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, headers } = await authorize(service.app, authorizationParameters(app, more))
  expect(status).toBe(303)
  return headers.get('Location') ?? ''
}

function expectOver({ status, text, location }: PageResponse): void {
  expect([status, location]).toEqual([400, null])
  expect(text).toContain('This request has ended')
}

function answerIn({ status, location }: PageResponse): Record<string, string> {
  expect([status, location?.split('?')[0]]).toEqual([303, 'https://app.example/cb'])
  return Object.fromEntries(new URL(location ?? '').searchParams)
}

describeEachStore('an app in a browser', (open) => {
  test('leads through signing in and consent to tokens that act for whoever approved', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const ana = await addMemberWithPassword(service, acme)
    const browser = openBrowser(service)

    const begun = await browser.get(
      `/oauth/authorize?${new URLSearchParams(authorizationParameters(acme, { state: 's 1' }))}`,
    )
    const guest = await browser.get(begun.location ?? '')
    expect([guest.status, guest.location]).toEqual([303, begun.location?.replace(PATH, '/sign-in')])
    const request = new URL(guest.location ?? '', 'http://x').searchParams.get('request') ?? ''
    expect((await browser.signIn(ana.email, undefined, request)).location).toBe(begun.location)

    const page = await browser.get(begun.location ?? '')
    expect(page.text).toContain('Test app')
    expect(page.text).toContain('app.example')
    const { code = '', ...rest } = answerIn(
      await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id }),
    )
    expect(rest).toEqual({ state: 's 1', iss: ISSUER })

    const { access_token } = tokensOf(await exchangeCode(service, acme, code))
    expect(await statusWithToken(service, access_token)).toBe(200)
    const account = await browser.get('/account')
    expect(account.text).toContain('Test app')
    const form = hiddenFieldsOf(account, '/account/apps/revoke')
    expect((await browser.post('/account/apps/revoke', form)).location).toBe('/account?done=disconnected')
    expect(await statusWithToken(service, access_token)).toBe(401)
  })

  test('gets one code, however often it is approved at once', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const ana = await addMemberWithPassword(service, acme)
    const browser = await signedIn(service, ana.email)
    const page = await browser.get(await askedBy(service, acme))
    const approve = () => browser.submit(page, PATH, { decision: 'approve', workspace: acme.id })
    const answers = await Promise.all(Array.from({ length: 20 }, approve))
    const [won, ...others] = answers.toSorted((one, other) => one.status - other.status)
    expect(answerIn(won!)['code']).toMatch(/^crm_ac_/)
    for (const each of others) expectOver(each)
    expectOver(await approve())
    expectOver(await browser.submit(page, PATH, { decision: 'deny' }))
  })

  test('gets nothing when it is denied', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const browser = await signedIn(service, (await addMemberWithPassword(service, acme)).email)
    const page = await browser.get(await askedBy(service, acme, { state: 's' }))
    expect(answerIn(await browser.submit(page, PATH, { decision: 'deny', workspace: acme.id }))).toEqual({
      error: 'access_denied',
      state: 's',
      iss: ISSUER,
    })
    expectOver(await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id }))
  })

  test('is never let into a workspace of others', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service), await openWorkspace(service, 'Rival')]
    const browser = await signedIn(service, (await addMemberWithPassword(service, acme)).email)
    const page = await browser.get(await askedBy(service, acme))
    expect(page.text).not.toContain(rival.id)
    for (const workspace of [
      rival.id,
      '00000000-0000-7000-8000-000000000000',
      '%00',
      "' or 1=1",
      '\u0000',
      '\ud800',
      '',
    ]) {
      const { status, location } = await browser.submit(page, PATH, { decision: 'approve', workspace })
      expect([workspace, status, location]).toEqual([workspace, 404, null])
    }
    expect((await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id })).status).toBe(303)
  })
})

async function setUp(parts: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), parts)
  const acme = await openWorkspace(service)
  const ana = await addMemberWithPassword(service, acme)
  return { service, acme, ana, browser: await signedIn(service, ana.email) }
}

test('an app gets its state back as it was, and the issuer', async () => {
  const { service, acme, browser } = await setUp()
  for (const state of [
    'a b+c&d=e',
    'ação 😀',
    '\u0000',
    '%00%zz',
    'a#b?c',
    '\r\nX: y',
    '<script>',
    's'.repeat(4096),
  ]) {
    for (const decision of ['approve', 'deny']) {
      const page = await browser.get(await askedBy(service, acme, { state }))
      const answer = answerIn(await browser.submit(page, PATH, { decision, workspace: acme.id }))
      expect([answer['state'], answer['iss']]).toEqual([state, ISSUER])
    }
  }
  const page = await browser.get(await askedBy(service, acme))
  expect(answerIn(await browser.submit(page, PATH, { decision: 'deny' }))).toEqual({
    error: 'access_denied',
    iss: ISSUER,
  })
})

test('the id of a request is known in capitals too', async () => {
  const { service, acme, browser } = await setUp()
  const path = await askedBy(service, acme)
  const page = await browser.get(path.replace(/[^=]+$/, (id) => id.toUpperCase()))
  expect(page.status).toBe(200)
  expect(answerIn(await browser.submit(page, PATH, { decision: 'deny' }))).toEqual({
    error: 'access_denied',
    iss: ISSUER,
  })
})

test('the consent form alone may lead away, by https, and by http for an app on this machine', async () => {
  const { service, acme, browser } = await setUp()
  const uris = {
    'https://app.example/cb': 'https:',
    'https://app.example:8443/cb?x=1': 'https:',
    'http://127.0.0.1:7777/cb': 'https: http:',
    'http://[::1]:7777/cb': 'https: http:',
  }
  const app = await service.crm.operator.createApp({
    name: 'Many',
    email: acme.owner.email,
    redirect_uris: Object.keys(uris),
    scopes: ['people:read'],
  })
  for (const [redirect_uri, source] of Object.entries(uris)) {
    const page = await browser.get(await askedBy(service, app, { redirect_uri }))
    expect(page.headers.get('Content-Security-Policy')).toContain(`; form-action 'self' ${source};`)
    const unclear = await browser.submit(page, PATH, { decision: 'maybe' })
    expect(unclear.headers.get('Content-Security-Policy')).toContain(`; form-action 'self' ${source};`)
  }
  expect((await browser.get('/account')).headers.get('Content-Security-Policy')).toContain(
    "; form-action 'self';",
  )
})

test('an approval that names no workspace, or nothing that is decided, shows the page once more', async () => {
  const { service, acme, browser } = await setUp()
  const page = await browser.get(await askedBy(service, acme))
  const { workspace, ...form } = hiddenFieldsOf(page, PATH) as Record<string, string>
  expect(workspace).toBe(acme.id)
  const list = Object.entries(form)
  const unclear = [
    list,
    [...list, ['decision', 'approve']],
    [...list, ['decision', 'APPROVE'], ['workspace', acme.id]],
    [...list, ['decision', 'approve'], ['decision', 'deny'], ['workspace', acme.id]],
    [...list, ['decision', 'approve'], ['workspace', acme.id], ['workspace', acme.id]],
  ] as [string, string][][]
  for (const fields of unclear) {
    const { status, text } = await browser.post(PATH, fields)
    expect([status, text.includes('role="alert"')]).toEqual([422, true])
  }
  expect((await browser.submit(page, PATH, { decision: 'approve' })).status).toBe(303)
})

test('a request that is no request, or is over, is a page that says so', async () => {
  const { service, acme, browser } = await setUp()
  const requests = [
    '',
    '?request=',
    '?request=x',
    '?request=%00',
    '?request=%ff',
    '?request=00000000-0000-7000-8000-000000000000',
  ]
  for (const query of requests) expectOver(await browser.get(PATH + query))
  const path = await askedBy(service, acme)
  expectOver(await browser.get(`${path}&${path.split('?')[1]}`))
  const page = await browser.get(path)
  service.advanceClock(30 * MINUTE - 1)
  expect((await browser.get(path)).status).toBe(200)
  service.advanceClock(1)
  expectOver(await browser.get(path))
  expectOver(await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id }))
})

test('who is removed from the workspace while the page is open can approve nothing', async () => {
  const { service, acme, ana, browser } = await setUp()
  const path = await askedBy(service, acme)
  const page = await browser.get(path)
  await service.crm.operator.removeMember({ workspace: acme.slug, email: ana.email })
  expect((await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id })).status).toBe(404)
  const { status, text } = await browser.get(path)
  expect([status, text.includes('value="approve"'), text.includes('value="deny"')]).toEqual([
    200,
    false,
    true,
  ])
})

test('whose session ended while the page was open signs in again, for the same request', async () => {
  const { service, acme, ana, browser } = await setUp()
  const path = await askedBy(service, acme)
  const page = await browser.get(path)
  const token = browser.jar.get('crm_session')
  await browser.submit(await browser.get('/account'), '/sign-out')
  browser.jar.set('crm_session', token ?? '')
  const answer = await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id })
  expect([answer.status, answer.location]).toEqual([303, path.replace(PATH, '/sign-in')])
  expect((await browser.signIn(ana.email, undefined, path.split('=')[1])).location).toBe(path)
  expect((await browser.get(path)).status).toBe(200)
})

test('someone else may sign in from the page, and comes back to it', async () => {
  const { service, acme, browser } = await setUp()
  const bob = await addMemberWithPassword(service, acme, 'bob')
  const path = await askedBy(service, acme)
  const out = await browser.submit(await browser.get(path), '/sign-out')
  expect(out.location).toBe(path.replace(PATH, '/sign-in'))
  expect((await browser.signIn(bob.email, undefined, path.split('=')[1])).location).toBe(path)
  expect((await browser.get(path)).text).toContain(bob.email)
})

test('an app that is named with markup shows as text', async () => {
  const { service, acme, browser } = await setUp()
  const app = await service.crm.operator.createApp({
    name: '<b>x</b>"\'>',
    email: acme.owner.email,
    redirect_uris: ['https://app.example/cb'],
    scopes: ['people:read'],
  })
  const { text } = await browser.get(await askedBy(service, app))
  expect(text).not.toContain('<b>x')
  expect(text).toContain('&lt;b&gt;x')
})
