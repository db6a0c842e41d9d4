import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { authorizationParameters, authorize } from '../support/oauth-requests.ts'
import {
  addMemberWithPassword,
  type Browser,
  hiddenFieldsOf,
  openBrowser,
  PASSWORD,
} from '../support/page-browser.ts'
import { openService, openWorkspace, type Service, type Workspace } from '../support/test-service.ts'

async function beginAuthorization({ app }: Service, acme: Workspace): Promise<string> {
  const { headers } = await authorize(app, authorizationParameters(acme))
  return new URL(headers.get('Location') ?? '', 'http://x').searchParams.get('request') ?? ''
}

async function openTestService() {
  const service = await openService(memoryStorage(), { issuer: 'https://crm.example' })
  const acme = await openWorkspace(service)
  const ana = await addMemberWithPassword(service, acme)
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  return { service, acme, ana, browser }
}

async function expectStale(response: ReturnType<Browser['post']>): Promise<void> {
  const { status, text, location } = await response
  expect([status, location]).toEqual([403, null])
  expect(text).toContain('nothing was done')
}

test('an approval requires the token of this browser and this request', async () => {
  const { service, acme, ana, browser } = await openTestService()
  const [request, other] = [await beginAuthorization(service, acme), await beginAuthorization(service, acme)]
  const path = (id: string) => `/oauth/consent?request=${id}`
  const form = { ...hiddenFieldsOf(await browser.get(path(request)), '/oauth/consent'), decision: 'approve' }
  const { csrf = '', ...withoutToken } = form as Record<string, string>

  const otherBrowser = openBrowser(service)
  await otherBrowser.signIn(ana.email)
  const otherBrowserToken =
    hiddenFieldsOf(await otherBrowser.get(path(request)), '/oauth/consent')['csrf'] ?? ''
  const otherRequestToken = hiddenFieldsOf(await browser.get(path(other)), '/oauth/consent')['csrf'] ?? ''
  const accountToken = hiddenFieldsOf(await browser.get('/account'), '/sign-out')['csrf'] ?? ''
  const wrongTokens = [
    otherBrowserToken,
    otherRequestToken,
    accountToken,
    '',
    'x',
    csrf.slice(1),
    `${csrf}0`,
    csrf.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ]

  await expectStale(browser.post('/oauth/consent', withoutToken))
  for (const each of wrongTokens)
    await expectStale(browser.post('/oauth/consent', { ...withoutToken, csrf: each }))
  await expectStale(browser.post('/oauth/consent', [...Object.entries(form), ['csrf', csrf]]))
  await expectStale(browser.post('/oauth/consent', { ...form, request: other }))
  await expectStale(openBrowser(service).post('/oauth/consent', form))
  await expectStale(otherBrowser.post('/oauth/consent', form))

  expect((await browser.post('/oauth/consent', form)).location).toMatch(/^https:\/\/app\.example\/cb\?code=/)
})

test('rejects forms from another origin', async () => {
  const { service, acme, browser } = await openTestService()
  const page = await browser.get(`/oauth/consent?request=${await beginAuthorization(service, acme)}`)
  const send = (headers: Record<string, string>) =>
    browser.submit(page, '/oauth/consent', { decision: 'deny' }, headers)
  const foreignHeaders = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': '' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
    { Origin: 'https://evil.example' },
    { Origin: 'http://crm.example' },
    { Origin: 'https://crm.example.evil.example' },
    { Origin: '' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
  ] as const
  for (const headers of foreignHeaders) await expectStale(send({ ...headers }))
  expect((await send({ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' })).status).toBe(303)
})

test('accepts forms from the same origin', async () => {
  const { service, acme, browser } = await openTestService()
  const ownHeaders = [
    {},
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://crm.example' },
    { Origin: 'null' },
  ]
  for (const headers of ownHeaders) {
    const page = await browser.get(`/oauth/consent?request=${await beginAuthorization(service, acme)}`)
    expect((await browser.submit(page, '/oauth/consent', { decision: 'deny' }, { ...headers })).status).toBe(
      303,
    )
  }
})

test('every form requires a token', async () => {
  const { service, acme, browser } = await openTestService()
  const paths = [
    '/sign-in',
    '/sign-out',
    '/oauth/consent',
    '/password/forgot',
    '/password/reset/x',
    '/account/password',
    '/account/apps/revoke-all',
    '/account/apps/revoke',
    `/workspaces/${acme.slug}/members/invite`,
    `/workspaces/${acme.slug}/members/remove`,
    `/workspaces/${acme.slug}/members/withdraw`,
    '/credentials/x',
    '/invitations/x',
  ]
  for (const path of paths) {
    await expectStale(browser.post(path, {}))
    await expectStale(openBrowser(service).post(path, { csrf: '0'.repeat(64) }))
  }
  expect((await browser.get('/account')).status).toBe(200)
})

test('rejects a sign-in form from before another sign-in', async () => {
  const { service, ana } = await openTestService()
  const browser = openBrowser(service)
  const before = await browser.get('/sign-in')
  await browser.signIn(ana.email)
  await expectStale(browser.submit(before, '/sign-in', { email: 'other@x.example', password: PASSWORD }))
})

test('answers other media types with a 400 page', async () => {
  const { browser } = await openTestService()
  const send = (type: string) => browser.post('/sign-out', { csrf: 'x' }, { 'Content-Type': type })
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const { status, headers } = await send(type)
    expect([status, headers.get('Content-Type')]).toEqual([400, 'text/html; charset=utf-8'])
  }
})
