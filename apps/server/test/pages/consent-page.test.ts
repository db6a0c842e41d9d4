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

async function signInBrowser(service: Service, email: string): Promise<Browser> {
  const browser = openBrowser(service)
  expect((await browser.signIn(email)).status).toBe(303)
  return browser
}

/** Begins an authorization and returns the path of the consent page. */
async function beginAuthorization(
  service: Service,
  app: Pick<Workspace, 'client_id'>,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, headers } = await authorize(service.app, authorizationParameters(app, more))
  expect(status).toBe(303)
  return headers.get('Location') ?? ''
}

function expectRequestEnded({ status, text, location }: PageResponse): void {
  expect([status, location]).toEqual([400, null])
  expect(text).toContain('This request has ended')
}

function callbackParameters({ status, location }: PageResponse): Record<string, string> {
  expect([status, location?.split('?')[0]]).toEqual([303, 'https://app.example/cb'])
  return Object.fromEntries(new URL(location ?? '').searchParams)
}

describeEachStore('an app authorization in a browser', (open) => {
  test('leads through sign-in and consent to tokens of the approving user', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const ana = await addMemberWithPassword(service, acme)
    const browser = openBrowser(service)

    const authorization = await browser.get(
      `/oauth/authorize?${new URLSearchParams(authorizationParameters(acme, { state: 's 1' }))}`,
    )
    const guest = await browser.get(authorization.location ?? '')
    expect([guest.status, guest.location]).toEqual([303, authorization.location?.replace(PATH, '/sign-in')])
    const request = new URL(guest.location ?? '', 'http://x').searchParams.get('request') ?? ''
    expect((await browser.signIn(ana.email, undefined, request)).location).toBe(authorization.location)

    const page = await browser.get(authorization.location ?? '')
    expect(page.text).toContain('Test app')
    expect(page.text).toContain('app.example')
    const { code = '', ...rest } = callbackParameters(
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

  test('issues one code for twenty concurrent approvals', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const ana = await addMemberWithPassword(service, acme)
    const browser = await signInBrowser(service, ana.email)
    const page = await browser.get(await beginAuthorization(service, acme))
    const approve = () => browser.submit(page, PATH, { decision: 'approve', workspace: acme.id })
    const responses = await Promise.all(Array.from({ length: 20 }, approve))
    const [approved, ...others] = responses.toSorted((a, b) => a.status - b.status)
    expect(callbackParameters(approved!)['code']).toMatch(/^crm_ac_/)
    for (const each of others) expectRequestEnded(each)
    expectRequestEnded(await approve())
    expectRequestEnded(await browser.submit(page, PATH, { decision: 'deny' }))
  })

  test('issues no code when denied', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const browser = await signInBrowser(service, (await addMemberWithPassword(service, acme)).email)
    const page = await browser.get(await beginAuthorization(service, acme, { state: 's' }))
    expect(
      callbackParameters(await browser.submit(page, PATH, { decision: 'deny', workspace: acme.id })),
    ).toEqual({
      error: 'access_denied',
      state: 's',
      iss: ISSUER,
    })
    expectRequestEnded(await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id }))
  })

  test('rejects a workspace of which the user is not a member', async () => {
    const service = await openService(await open())
    const [acme, other] = [await openWorkspace(service), await openWorkspace(service, 'Other')]
    const browser = await signInBrowser(service, (await addMemberWithPassword(service, acme)).email)
    const page = await browser.get(await beginAuthorization(service, acme))
    expect(page.text).not.toContain(other.id)
    for (const workspace of [
      other.id,
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

async function openTestService(options: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), options)
  const acme = await openWorkspace(service)
  const ana = await addMemberWithPassword(service, acme)
  return { service, acme, ana, browser: await signInBrowser(service, ana.email) }
}

test('returns the state unchanged, and the issuer', async () => {
  const { service, acme, browser } = await openTestService()
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
      const page = await browser.get(await beginAuthorization(service, acme, { state }))
      const response = callbackParameters(await browser.submit(page, PATH, { decision, workspace: acme.id }))
      expect([response['state'], response['iss']]).toEqual([state, ISSUER])
    }
  }
  const page = await browser.get(await beginAuthorization(service, acme))
  expect(callbackParameters(await browser.submit(page, PATH, { decision: 'deny' }))).toEqual({
    error: 'access_denied',
    iss: ISSUER,
  })
})

test('accepts a request id in upper case', async () => {
  const { service, acme, browser } = await openTestService()
  const path = await beginAuthorization(service, acme)
  const page = await browser.get(path.replace(/[^=]+$/, (id) => id.toUpperCase()))
  expect(page.status).toBe(200)
  expect(callbackParameters(await browser.submit(page, PATH, { decision: 'deny' }))).toEqual({
    error: 'access_denied',
    iss: ISSUER,
  })
})

test('does not restrict where the app sends the user on', async () => {
  const { service, acme, browser } = await openTestService()
  const page = await browser.get(await beginAuthorization(service, acme))
  const invalid = await browser.submit(page, PATH, { decision: 'maybe' })
  for (const { headers } of [page, invalid])
    expect(headers.get('Content-Security-Policy')).not.toContain('form-action')
  expect((await browser.get('/account')).headers.get('Content-Security-Policy')).toContain(
    "; form-action 'self';",
  )
})

test('shows the page again for an approval without a workspace or a clear decision', async () => {
  const { service, acme, browser } = await openTestService()
  const page = await browser.get(await beginAuthorization(service, acme))
  const { workspace, ...form } = hiddenFieldsOf(page, PATH) as Record<string, string>
  expect(workspace).toBe(acme.id)
  const list = Object.entries(form)
  const invalidForms = [
    list,
    [...list, ['decision', 'approve']],
    [...list, ['decision', 'APPROVE'], ['workspace', acme.id]],
    [...list, ['decision', 'approve'], ['decision', 'deny'], ['workspace', acme.id]],
    [...list, ['decision', 'approve'], ['workspace', acme.id], ['workspace', acme.id]],
  ] as [string, string][][]
  for (const fields of invalidForms) {
    const { status, text } = await browser.post(PATH, fields)
    expect([status, text.includes('role="alert"')]).toEqual([422, true])
  }
  expect((await browser.submit(page, PATH, { decision: 'approve' })).status).toBe(303)
})

test('shows an error page for an invalid or ended request', async () => {
  const { service, acme, browser } = await openTestService()
  const requests = [
    '',
    '?request=',
    '?request=x',
    '?request=%00',
    '?request=%ff',
    '?request=00000000-0000-7000-8000-000000000000',
  ]
  for (const query of requests) expectRequestEnded(await browser.get(PATH + query))
  const path = await beginAuthorization(service, acme)
  expectRequestEnded(await browser.get(`${path}&${path.split('?')[1]}`))
  const page = await browser.get(path)
  service.advanceClock(30 * MINUTE - 1)
  expect((await browser.get(path)).status).toBe(200)
  service.advanceClock(1)
  expectRequestEnded(await browser.get(path))
  expectRequestEnded(await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id }))
})

test('a user removed while the page is open cannot approve', async () => {
  const { service, acme, ana, browser } = await openTestService()
  const path = await beginAuthorization(service, acme)
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

test('after a session ends while the page is open, sign-in returns to the request', async () => {
  const { service, acme, ana, browser } = await openTestService()
  const path = await beginAuthorization(service, acme)
  const page = await browser.get(path)
  const token = browser.jar.get('crm_session')
  await browser.submit(await browser.get('/account'), '/sign-out')
  browser.jar.set('crm_session', token ?? '')
  const response = await browser.submit(page, PATH, { decision: 'approve', workspace: acme.id })
  expect([response.status, response.location]).toEqual([303, path.replace(PATH, '/sign-in')])
  expect((await browser.signIn(ana.email, undefined, path.split('=')[1])).location).toBe(path)
  expect((await browser.get(path)).status).toBe(200)
})

test('another user can sign in from the page and return to it', async () => {
  const { service, acme, browser } = await openTestService()
  const bob = await addMemberWithPassword(service, acme, 'bob')
  const path = await beginAuthorization(service, acme)
  const signedOut = await browser.submit(await browser.get(path), '/sign-out')
  expect(signedOut.location).toBe(path.replace(PATH, '/sign-in'))
  expect((await browser.signIn(bob.email, undefined, path.split('=')[1])).location).toBe(path)
  expect((await browser.get(path)).text).toContain(bob.email)
})

test('escapes markup in the name of an app', async () => {
  const { service, acme, browser } = await openTestService()
  const app = await service.crm.operator.createApp({
    name: '<b>x</b>"\'>',
    email: acme.owner.email,
    redirect_uris: ['https://app.example/cb'],
    scopes: ['people:read'],
  })
  const { text } = await browser.get(await beginAuthorization(service, app))
  expect(text).not.toContain('<b>x')
  expect(text).toContain('&lt;b&gt;x')
})
