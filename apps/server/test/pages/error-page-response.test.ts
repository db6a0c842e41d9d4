import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { encodeForm } from '../support/oauth-requests.ts'
import { addMemberWithPassword, openBrowser } from '../support/page-browser.ts'
import { errorOf, openService, openWorkspace, sendRequest } from '../support/test-service.ts'

const FORM = 'application/x-www-form-urlencoded'
const UNKNOWN_TOKEN = `crm_ln_${'0'.repeat(96)}`

test.each(['', '*/*', 'application/json', 'text/html;q=0'])(
  'answers Accept %j with a JSON error',
  async (Accept) => {
    const { app } = await openService(memoryStorage())
    const errors: unknown[] = []
    for (const [method, path, type] of [
      ['POST', '/sign-in', FORM],
      ['POST', '/sign-in', 'application/json'],
      ['GET', '/oauth/consent'],
      ['GET', `/credentials/${UNKNOWN_TOKEN}`],
      ['GET', `/password/reset/${UNKNOWN_TOKEN}`],
      ['GET', '/invitations/x'],
    ] as const) {
      const body = method === 'POST' ? encodeForm({ email: 'ana@acme.example' }) : undefined
      const response = await sendRequest(app, method, path, body, {
        headers: { Accept, ...(type && { 'Content-Type': type }) },
      })
      expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
      errors.push([path, response.status, errorOf(response)])
    }
    const linkNotFound = { code: 'not_found', message: 'Link not found.' }
    expect(errors).toEqual([
      [
        '/sign-in',
        403,
        { code: 'forbidden', message: 'The form is too old, or did not come from a page of this service.' },
      ],
      [
        '/sign-in',
        400,
        { code: 'invalid_request', message: 'Request body must be application/x-www-form-urlencoded.' },
      ],
      ['/oauth/consent', 400, { code: 'invalid_request', message: 'The request has ended, or never was.' }],
      [`/credentials/${UNKNOWN_TOKEN}`, 404, linkNotFound],
      [`/password/reset/${UNKNOWN_TOKEN}`, 404, linkNotFound],
      ['/invitations/x', 404, linkNotFound],
    ])
  },
)

test('a forbidden page is an HTML page or a JSON error, according to Accept', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const browser = openBrowser(service)
  await browser.signIn((await addMemberWithPassword(service, acme)).email)
  for (const [slug, status, code] of [
    [acme.slug, 403, 'forbidden'],
    ['nowhere', 404, 'not_found'],
  ] as const) {
    const page = await browser.get(`/workspaces/${slug}/members`)
    expect([page.status, page.text.includes('href="/account"'), page.text.includes(code)]).toEqual([
      status,
      true,
      false,
    ])
    expect(page.text).toContain(page.headers.get('X-Request-ID'))
    const { status: other, text } = await browser.get(`/workspaces/${slug}/members`, { Accept: '*/*' })
    expect([other, JSON.parse(text)]).toMatchObject([status, { error: { code } }])
  }
})

test('a stale form links to the CRM or to sign-in', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const [guest, browser] = [openBrowser(service), openBrowser(service)]
  await browser.signIn((await addMemberWithPassword(service, acme)).email)
  for (const [sender, home] of [
    [guest, 'class="button main" href="/sign-in"'],
    [browser, 'class="button main" href="/"'],
  ] as const) {
    const { status, text } = await sender.post('/sign-out', {})
    expect([status, text.includes(home)]).toEqual([403, true])
  }
})
