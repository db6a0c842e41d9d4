import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { authorizationParameters, authorize, postForm } from '../support/oauth-requests.ts'
import { hiddenFieldsOf, openBrowser, type PageResponse } from '../support/page-browser.ts'
import { mailLinksTo } from '../support/queued-mail.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace, type Service, sendRequest } from '../support/test-service.ts'

const MINUTE = 60_000

/** Registers an app; returns its id and the link from its mail. */
async function registerAndReadMail(service: Service, email: string) {
  const body = {
    name: 'Fresh app',
    email,
    redirect_uris: ['https://app.example/cb'],
    scopes: ['people:read'],
  }
  const { status, json } = await sendRequest(service.app, 'POST', '/v1/auth/register-app', body)
  expect(status).toBe(201)
  const { client_id } = (json as { data: { client_id: string } }).data
  return { client_id, link: (await mailLinksTo(service, email)).at(-1) ?? '' }
}

function secretIn({ status, text }: PageResponse): string {
  expect(status).toBe(200)
  return /<code class="whole secret">([^<]+)</.exec(text)?.[1] ?? ''
}

function expectLinkEnded({ status, text }: PageResponse): void {
  expect(status).toBe(404)
  expect(text).toContain('This link no longer works')
  expect(text).toContain('For another secret, ask for one with POST /v1/auth/rotate-app.')
}

/** Returns whether the app can authenticate with the secret. */
async function isValidSecret({ app }: Service, client_id: string, client_secret: string): Promise<boolean> {
  const { status } = await postForm(app, '/oauth/revoke', { client_id, client_secret, token: 'none' })
  return status === 200
}

describeEachStore('the secret of an app', (open) => {
  test('is issued once for twenty concurrent submissions', async () => {
    const service = await openService(await open())
    const { slug } = await openWorkspace(service)
    const email = `dev@${slug}.example`
    const app = await service.crm.oauth.registerApp(
      { name: 'Fresh app', email, redirect_uris: ['https://app.example/cb'], scopes: ['people:read'] },
      { address: '10.0.0.1', language: 'en' },
    )
    const link = (await mailLinksTo(service, email)).at(-1) ?? ''
    const browsers = Array.from({ length: 20 }, () => openBrowser(service))
    const pages = await Promise.all(browsers.map((browser) => browser.get(link)))
    const responses = await Promise.all(browsers.map((browser, nth) => browser.submit(pages[nth]!, link)))
    const [successful, ...others] = responses.toSorted((one, other) => one.status - other.status)
    for (const each of others) expectLinkEnded(each)
    expect(await isValidSecret(service, app.client_id, secretIn(successful!))).toBe(true)
  })
})

test('opening the link changes nothing; submitting the form shows the secret', async () => {
  const service = await openService(memoryStorage())
  const { client_id, link } = await registerAndReadMail(service, 'dev@fresh.example')
  expect(link).toMatch(/^\/credentials\/crm_ln_[0-9a-f]{96}$/)
  const browser = openBrowser(service)
  const page = await browser.get(link)
  for (let visits = 0; visits < 5; visits += 1) {
    expect((await openBrowser(service).get(link, { Purpose: 'prefetch' })).status).toBe(200)
    const head = await openBrowser(service).head(link)
    expect([head.status, head.text]).toEqual([200, ''])
  }
  expect((await authorize(service.app, authorizationParameters({ client_id }))).status).toBe(401)
  expect(page.text).toContain('Fresh app')
  const secretPage = await browser.submit(page, link)
  expect(secretPage.headers.get('Cache-Control')).toBe('no-store')
  expect(await isValidSecret(service, client_id, secretIn(secretPage))).toBe(true)
  expect((await authorize(service.app, authorizationParameters({ client_id }))).status).toBe(303)
  expectLinkEnded(await browser.submit(page, link))
  expectLinkEnded(await browser.get(link))
  expect((await browser.head(link)).status).toBe(404)
})

test('the link expires after 15 minutes', async () => {
  const service = await openService(memoryStorage())
  const [early, late] = [
    await registerAndReadMail(service, 'early@fresh.example'),
    await registerAndReadMail(service, 'late@fresh.example'),
  ]
  const browser = openBrowser(service)
  const page = await browser.get(early.link)
  service.advanceClock(15 * MINUTE - 1000)
  expect(secretIn(await browser.submit(page, early.link))).not.toBe('')
  expect((await browser.get(late.link)).status).toBe(200)
  service.advanceClock(2000)
  expectLinkEnded(await browser.get(late.link))
  expectLinkEnded(await browser.post(late.link, hiddenFieldsOf(page, early.link)))
})

test('used, expired and unknown links show the same page', async () => {
  const service = await openService(memoryStorage())
  const { link } = await registerAndReadMail(service, 'dev@fresh.example')
  const browser = openBrowser(service)
  const page = await browser.get(link)
  await browser.submit(page, link)
  const [used, unknown] = [
    await browser.get(link),
    await browser.get(`/credentials/crm_ln_${'0'.repeat(96)}`),
  ]
  expect(unknown.text).toBe(used.text)
  for (const token of [
    'x',
    '%00',
    '%ff',
    '%',
    'constructor',
    `crm_ac_${'0'.repeat(96)}`,
    'a'.repeat(5000),
    '..%2f..',
  ]) {
    const path = `/credentials/${token}`
    expect((await browser.get(path)).text).toBe(used.text)
    expect((await browser.post(path, hiddenFieldsOf(page, link))).text).toBe(used.text)
  }
})
