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

async function requestOf({ app }: Service, acme: Workspace): Promise<string> {
  const { headers } = await authorize(app, authorizationParameters(acme))
  return new URL(headers.get('Location') ?? '', 'http://x').searchParams.get('request') ?? ''
}

async function setUp() {
  const service = await openService(memoryStorage(), { issuer: 'https://crm.example' })
  const acme = await openWorkspace(service)
  const ana = await addMemberWithPassword(service, acme)
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  return { service, acme, ana, browser }
}

async function expectStale(answer: ReturnType<Browser['post']>): Promise<void> {
  const { status, text, location } = await answer
  expect([status, location]).toEqual([403, null])
  expect(text).toContain('nothing was done')
}

test('an approval counts only with the token of this browser and this request', async () => {
  const { service, acme, ana, browser } = await setUp()
  const [request, other] = [await requestOf(service, acme), await requestOf(service, acme)]
  const path = (id: string) => `/oauth/consent?request=${id}`
  const form = { ...hiddenFieldsOf(await browser.get(path(request)), '/oauth/consent'), decision: 'approve' }
  const { csrf = '', ...unproven } = form as Record<string, string>

  const rival = openBrowser(service)
  await rival.signIn(ana.email)
  const ofRival = hiddenFieldsOf(await rival.get(path(request)), '/oauth/consent')['csrf'] ?? ''
  const ofOther = hiddenFieldsOf(await browser.get(path(other)), '/oauth/consent')['csrf'] ?? ''
  const ofAccount = hiddenFieldsOf(await browser.get('/account'), '/sign-out')['csrf'] ?? ''
  const wrong = [
    ofRival,
    ofOther,
    ofAccount,
    '',
    'x',
    csrf.slice(1),
    `${csrf}0`,
    csrf.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ]

  await expectStale(browser.post('/oauth/consent', unproven))
  for (const each of wrong) await expectStale(browser.post('/oauth/consent', { ...unproven, csrf: each }))
  await expectStale(browser.post('/oauth/consent', [...Object.entries(form), ['csrf', csrf]]))
  await expectStale(browser.post('/oauth/consent', { ...form, request: other }))
  await expectStale(openBrowser(service).post('/oauth/consent', form))
  await expectStale(rival.post('/oauth/consent', form))

  expect((await browser.post('/oauth/consent', form)).location).toMatch(/^https:\/\/app\.example\/cb\?code=/)
})

test('a form that a browser says came from elsewhere is refused, whatever it holds', async () => {
  const { service, acme, browser } = await setUp()
  const page = await browser.get(`/oauth/consent?request=${await requestOf(service, acme)}`)
  const send = (headers: Record<string, string>) =>
    browser.submit(page, '/oauth/consent', { decision: 'deny' }, headers)
  const elsewhere = [
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
  for (const headers of elsewhere) await expectStale(send({ ...headers }))
  expect((await send({ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' })).status).toBe(303)
})

test('a form that a browser says is ours is taken', async () => {
  const { service, acme, browser } = await setUp()
  const ours = [
    {},
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://crm.example' },
    { Origin: 'null' },
  ]
  for (const headers of ours) {
    const page = await browser.get(`/oauth/consent?request=${await requestOf(service, acme)}`)
    expect((await browser.submit(page, '/oauth/consent', { decision: 'deny' }, { ...headers })).status).toBe(
      303,
    )
  }
})

test('no form at all is done without its token', async () => {
  const { service, acme, browser } = await setUp()
  const paths = [
    '/sign-in',
    '/sign-out',
    '/oauth/consent',
    '/password/forgot',
    '/password/reset/x',
    '/account/password',
    '/account/apps/revoke',
    `/workspaces/${acme.slug}/team/invite`,
    `/workspaces/${acme.slug}/team/remove`,
    `/workspaces/${acme.slug}/team/withdraw`,
    '/credentials/x',
    '/invitations/x',
  ]
  for (const path of paths) {
    await expectStale(browser.post(path, {}))
    await expectStale(openBrowser(service).post(path, { csrf: '0'.repeat(64) }))
  }
  expect((await browser.get('/account')).status).toBe(200)
})

test('signing someone in from a form of before is refused once another has signed in', async () => {
  const { service, ana } = await setUp()
  const browser = openBrowser(service)
  const before = await browser.get('/sign-in')
  await browser.signIn(ana.email)
  await expectStale(browser.submit(before, '/sign-in', { email: 'other@x.example', password: PASSWORD }))
})

test('what is no form is a 400 page', async () => {
  const { browser } = await setUp()
  const send = (type: string) => browser.post('/sign-out', { csrf: 'x' }, { 'Content-Type': type })
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const { status, headers } = await send(type)
    expect([status, headers.get('Content-Type')]).toEqual([400, 'text/html; charset=utf-8'])
  }
})
