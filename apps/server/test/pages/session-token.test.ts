import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { addMemberWithPassword, openBrowser } from '../support/page-browser.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace, sendRequest } from '../support/test-service.ts'

const ORIGIN = 'https://crm.example'
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', Origin: ORIGIN }

describeEachStore('POST /session/token', (open) => {
  async function openSignedIn() {
    const service = await openService(await open(), { issuer: ORIGIN })
    const acme = await openWorkspace(service)
    const ana = await addMemberWithPassword(service, acme)
    const browser = openBrowser(service)
    await browser.signIn(ana.email)
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const exchange = (body: unknown = {}, headers: Readonly<Record<string, string>> = OWN_PAGE) =>
      sendRequest(service.app, 'POST', '/session/token', body, { headers: { Cookie: cookie, ...headers } })
    return { service, acme, ana, browser, exchange }
  }

  test('exchanges the session for an access token that ends with it', async () => {
    const { acme, ana, browser, exchange } = await openSignedIn()
    const response = await exchange()
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const { access_token: token, ...data } = (response.json as { data: { access_token: string } }).data
    expect(data).toEqual({
      token_type: 'Bearer',
      expires_in: 600,
      user_id: ana.id,
      workspace: { id: acme.id, name: 'Acme', slug: acme.slug, role: 'member' },
    })
    const me = await acme.call('GET', '/v1/me', undefined, { token })
    expect(me.json).toMatchObject({ data: { email: ana.email, role: 'member' } })
    expect((await acme.call('POST', '/v1/people', { full_name: 'Bob' }, { token })).status).toBe(201)
    await browser.submit(await browser.get('/account'), '/sign-out')
    expect((await acme.call('GET', '/v1/me', undefined, { token })).status).toBe(401)
    expect((await exchange()).status).toBe(401)
  })

  test('shows on the account page, and is not among the apps that keep access after a new password', async () => {
    const { browser, exchange } = await openSignedIn()
    await exchange()
    const { text } = await browser.get('/account?done=password-changed')
    expect(text).toContain('Console')
    expect(text).not.toContain('/account/apps/revoke-all')
  })

  test('is limited per session, whatever the address', async () => {
    const service = await openService(await open(), { issuer: ORIGIN, trustProxy: 1, limits: { POST: 3 } })
    const acme = await openWorkspace(service)
    const browsers = await Promise.all(
      ['ana', 'bob'].map(async (local) => {
        const browser = openBrowser(service)
        await browser.signIn((await addMemberWithPassword(service, acme, local)).email)
        return browser
      }),
    )
    let addresses = 0
    const exchange = async ({ jar }: ReturnType<typeof openBrowser>) => {
      addresses += 1
      const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { ...OWN_PAGE, Cookie, 'X-Forwarded-For': `198.18.0.${addresses}` }
      return (await sendRequest(service.app, 'POST', '/session/token', {}, { headers })).status
    }
    const [ana, bob] = browsers
    for (const status of [200, 200, 200, 429]) expect(await exchange(ana!)).toBe(status)
    expect(await exchange(bob!)).toBe(200)
  })

  test('is refused without a session, from another site and for another workspace', async () => {
    const { service, exchange } = await openSignedIn()
    const other = await openWorkspace(service, 'Other')
    expect((await exchange({ workspace_id: other.id })).status).toBe(404)
    const wrong = await exchange({ workspace: other.id })
    expect([wrong.status, errorOf(wrong)['fields']]).toEqual([
      422,
      { workspace: expect.stringContaining('Unknown field.') },
    ])
    for (const headers of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.crm.example' },
    ])
      expect((await exchange({}, headers)).status).toBe(403)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])
      expect((await exchange('{}', { ...OWN_PAGE, 'Content-Type': type })).status).toBe(400)
    expect((await exchange({}, { ...OWN_PAGE, Cookie: '' })).status).toBe(401)
    expect((await exchange({}, { ...OWN_PAGE, Cookie: '__Host-crm_session=x' })).status).toBe(401)
  })
})

test('tells the operator that people open another address than BASE_URL', async () => {
  const notices: unknown[] = []
  const log = { info: () => {}, error: () => {}, warn: (fields: object) => void notices.push(fields) }
  const service = await openService(memoryStorage(), { issuer: 'https://crm.example', log: log as never })
  const call = (headers: Readonly<Record<string, string>>) =>
    sendRequest(service.app, 'POST', '/session/token', {}, { headers })
  const opened = { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://192.168.0.9:3000' }
  expect((await call(opened)).status).toBe(403)
  expect((await call({ ...opened, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  expect(notices).toEqual([
    expect.objectContaining({
      notice:
        'A page was opened at http://192.168.0.9:3000, and BASE_URL is https://crm.example: set it to the address that people open.',
    }),
  ])
})
