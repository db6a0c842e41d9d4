import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { authorizationParameters, authorize } from '../support/oauth-requests.ts'
import {
  addMemberWithPassword,
  hiddenFieldsOf,
  openBrowser,
  PASSWORD,
  type PageResponse,
  sendMailAndListLinks,
} from '../support/page-browser.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  type Service,
  sendRequest,
  type Workspace,
} from '../support/test-service.ts'

const CALLER = { address: '10.0.0.1', language: 'en' }

async function beginAuthorization({ app }: Service, acme: Workspace): Promise<string> {
  const { headers } = await authorize(app, authorizationParameters(acme))
  return new URL(headers.get('Location') ?? '', 'http://x').searchParams.get('request') ?? ''
}

/** Opens every page as a browser would. */
async function openEveryPage(
  service: Service,
  headers: Record<string, string> = {},
): Promise<Readonly<Record<string, PageResponse>>> {
  const acme = await openWorkspace(service)
  const owner = await addMemberWithPassword(service, acme, 'boss', 'owner')
  await acme.tokenFor(owner.email)
  await service.crm.accounts.requestPasswordReset({ email: owner.email }, CALLER)
  const [reset = ''] = await sendMailAndListLinks(service)
  await service.crm.oauth.rotateApp({ client_id: acme.client_id, email: acme.owner.email }, CALLER)
  const [credentials = ''] = await sendMailAndListLinks(service)
  const [guest, browser] = [openBrowser(service, headers), openBrowser(service, headers)]
  await browser.signIn(owner.email)
  const membersPath = `/workspaces/${acme.slug}/members`
  await browser.submit(await browser.get(membersPath), `${membersPath}/invite`, {
    email: 'new@fresh.example',
    role: 'member',
  })
  const [invitation = ''] = await sendMailAndListLinks(service)
  const signIn = await guest.get('/sign-in')
  const credentialsPage = await guest.get(credentials)
  return {
    signIn,
    wrongPassword: await guest.submit(signIn, '/sign-in', { email: owner.email, password: 'wrong password' }),
    emptyForm: await guest.submit(signIn, '/sign-in', {}),
    consent: await browser.get(`/oauth/consent?request=${await beginAuthorization(service, acme)}`),
    requestEnded: await browser.get('/oauth/consent'),
    account: await browser.get('/account'),
    changePassword: await browser.get('/account/password'),
    members: await browser.get(membersPath),
    forgot: await guest.get('/password/forgot'),
    mailed: await guest.get('/password/forgot?done=mailed'),
    reset: await guest.get(reset),
    invitation: await guest.get(invitation),
    credentials: credentialsPage,
    secret: await guest.submit(credentialsPage, credentials),
    linkEnded: await guest.get(credentials),
    stale: await guest.post('/sign-out', {}),
    notFound: await browser.get('/workspaces/nowhere/members'),
    notAForm: await guest.post('/sign-in', {}, { 'Content-Type': 'text/plain' }),
  }
}

test('every page has security headers and is not cached', async () => {
  const pages = await openEveryPage(await openService(memoryStorage()))
  for (const [name, { headers, text }] of Object.entries(pages)) {
    const policy = headers.get('Content-Security-Policy') ?? ''
    const target = name === 'consent' ? '' : " form-action 'self';"
    expect([name, policy]).toEqual([
      name,
      `default-src 'none'; style-src 'self'; img-src 'self';${target} base-uri 'none'; frame-ancestors 'none'`,
    ])
    const pageHeaders = Object.fromEntries(
      [
        'Content-Type',
        'X-Frame-Options',
        'Referrer-Policy',
        'Cache-Control',
        'X-Content-Type-Options',
        'X-Robots-Tag',
        'Vary',
        'Content-Language',
        'X-RateLimit-Limit',
      ].map((each) => [each, headers.get(each)]),
    )
    expect([name, pageHeaders]).toEqual([
      name,
      {
        'Content-Type': 'text/html; charset=utf-8',
        'X-Frame-Options': 'DENY',
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex',
        Vary: 'Accept-Language, Cookie',
        'Content-Language': 'en',
        'X-RateLimit-Limit': '1000',
      },
    ])
    expect(headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect([name, /<script|<style| style="| on\w+="|javascript:/i.test(text)]).toEqual([name, false])
  }
})

test('every page is in the language of the reader', async () => {
  const pages = await openEveryPage(await openService(memoryStorage()), {
    'Accept-Language': 'pt;q=0.9, en;q=0.1',
  })
  for (const [name, { headers, text }] of Object.entries(pages)) {
    expect([name, headers.get('Content-Language'), text.includes('<html lang="pt-BR">')]).toEqual([
      name,
      'pt-BR',
      true,
    ])
  }
})

test('mail is in the language of the page that caused it', async () => {
  const service = await openService(memoryStorage())
  const ana = await addMemberWithPassword(service, await openWorkspace(service))
  const browser = openBrowser(service, { 'Accept-Language': 'pt-BR' })
  await browser.submit(await browser.get('/password/forgot'), '/password/forgot', { email: ana.email })
  const languages: string[] = []
  await service.crm.mail.send(async ({ language }) => void languages.push(language))
  expect(languages).toEqual(['pt-BR'])
})

test('links, forms and redirects include the path of the public address', async () => {
  const service = await openService(memoryStorage(), { issuer: 'https://example.com/crm' })
  const ana = await addMemberWithPassword(service, await openWorkspace(service), 'ana', 'owner')
  const browser = openBrowser(service)
  const page = await browser.get('/sign-in')
  const response = await browser.post('/sign-in', {
    ...hiddenFieldsOf(page, '/crm/sign-in'),
    email: ana.email,
    password: PASSWORD,
  })
  expect(response.location).toBe('/crm/')
  expect((await browser.get('/')).text).toContain('data-base-path="/crm"')
  expect((await openBrowser(service).get('/account')).location).toBe('/crm/sign-in?page=/account')
  for (const { text } of [page, await browser.get('/account'), await browser.get('/account/password')]) {
    const addresses = [...text.matchAll(/(?:href|action)="(?!#)([^"]*)"/g)].map(([, address]) => address)
    expect(addresses.filter((address) => !address?.startsWith('/crm/'))).toEqual([])
    expect(addresses.length).toBeGreaterThan(1)
  }
})

test('the stylesheet has a content hash in its name and is cached for a year', async () => {
  const browser = openBrowser(await openService(memoryStorage()))
  const path = /<link rel="stylesheet" href="([^"]+)"/.exec((await browser.get('/sign-in')).text)?.[1] ?? ''
  const { status, headers, cookies } = await browser.get(path)
  expect(path).toMatch(/^\/assets\/pages-[0-9a-f]{16}\.css$/)
  expect([status, headers.get('Content-Type'), headers.get('Cache-Control'), cookies]).toEqual([
    200,
    'text/css; charset=utf-8',
    'public, max-age=31536000, immutable',
    [],
  ])
  expect((await browser.get('/assets/pages-0000000000000000.css')).status).toBe(404)
})

test('without a session the root redirects to the sign-in page', async () => {
  const { status, location, headers } = await openBrowser(await openService(memoryStorage())).get('/')
  expect([status, location, headers.get('Referrer-Policy'), headers.get('Cache-Control')]).toEqual([
    303,
    '/sign-in',
    'no-referrer',
    'no-store',
  ])
})

test('an unsupported method gets the JSON 404', async () => {
  const { app } = await openService(memoryStorage())
  for (const [method, path] of [
    ['PUT', '/sign-in'],
    ['GET', '/sign-out'],
    ['GET', '/account/apps/revoke'],
    ['DELETE', '/account'],
    ['POST', '/'],
    ['PATCH', '/credentials/x'],
    ['OPTIONS', '/oauth/consent'],
    ['GET', '/workspaces/acme/members/invite'],
    ['GET', '/sign-in/'],
  ] as const) {
    const response = await sendRequest(app, method, path)
    expect([method, path, response.status, errorOf(response)]).toEqual([
      method,
      path,
      404,
      { code: 'not_found', message: 'Route not found.' },
    ])
  }
})

test('pages and forms count together as GET calls of their address', async () => {
  const service = await openService(memoryStorage(), { limits: { GET: 3, POST: 1 } })
  const browser = openBrowser(service)
  const page = await browser.get('/sign-in')
  expect([
    (await browser.get('/password/forgot')).status,
    (await browser.submit(page, '/sign-in')).status,
  ]).toEqual([200, 422])
  const { status, headers, text } = await browser.get('/sign-in')
  expect([status, headers.get('Retry-After'), headers.get('Content-Type')]).toEqual([
    429,
    '60',
    'text/html; charset=utf-8',
  ])
  expect([text.includes('Too many requests'), text.includes(headers.get('X-Request-ID') ?? '?')]).toEqual([
    true,
    true,
  ])
})

test('an unexpected failure is a page with the request id, and its details are logged', async () => {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  const storage = memoryStorage()
  let broken = false
  const read: Storage['read'] = (work) =>
    broken ? Promise.reject(new Error('connection terminated')) : storage.read(work)
  const service = await openService({ ...storage, read }, { log })
  const ana = await addMemberWithPassword(service, await openWorkspace(service))
  const browser = openBrowser(service)
  await browser.signIn(ana.email)
  broken = true
  const { status, headers, text } = await browser.get('/account')
  expect([status, headers.get('Content-Type')]).toEqual([500, 'text/html; charset=utf-8'])
  expect(text).toContain(headers.get('X-Request-ID'))
  expect(text).not.toContain('connection terminated')
  expect(lines.join('')).toContain('connection terminated')
})

test('logs no token, password or cookie, and only the pattern of a path', async () => {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  await openEveryPage(await openService(memoryStorage(), { log }))
  expect(lines.join('')).toContain('"route":"/credentials/:token"')
  expect(lines.join('')).not.toMatch(
    /crm_(ses|ln|in|ac)_|[0-9a-f]{64}|correct horse|wrong password|request=|@/,
  )
})
