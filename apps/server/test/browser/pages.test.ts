import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { memoryStorage } from '@sales-crm/core/memory'
import { newId } from '@sales-crm/node'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { publicClientParameters } from '../support/public-client-requests.ts'
import {
  CHROMIUM,
  type LiveService,
  openEmptyLiveService,
  openLiveService,
  openPage,
  PASSWORD,
  signIn,
} from './live-service.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Returns the accessibility violations of a page. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = (await page.evaluate('axe.run()')) as { violations: readonly Violation[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** The heading of each page, to verify that the test opened that page. */
const HEADINGS: Readonly<Record<string, string>> = {
  'sign-in': 'Sign in',
  'sign-in, rejected': 'Sign in',
  'sign-in, for an app': 'Sign in',
  consent: 'Lead Radar is asking for access to your workspace',
  'consent for a public client': 'Radar is asking for access to your workspace',
  'an app that does not exist': 'This request cannot continue',
  'a public client that does not exist': 'This request cannot continue',
  'an ended request': 'This request has ended',
  credentials: 'The client secret of Lead Radar',
  'a secret': 'Lead Radar is ready to connect',
  'an expired link': 'This link no longer works',
  'a forgotten password': 'Forgot your password?',
  'a new password': 'Set a new password',
  account: 'Your account',
  'change of password': 'Change your password',
  members: 'The members of Acme & Sons',
  invitation: 'Join Acme & Sons',
}

/** Opens each page. */
const PAGES: Readonly<Record<string, (page: Page, live: LiveService) => Promise<unknown>>> = {
  'sign-in': (page, { base }) => page.goto(`${base}/sign-in`),
  async 'sign-in, rejected'(page, { base, email }) {
    await page.goto(`${base}/sign-in`)
    await signIn(page, email, 'not the password')
  },
  async 'sign-in, for an app'(page, live) {
    await page.goto(live.authorizeUrl())
  },
  async consent(page, live) {
    await page.goto(live.authorizeUrl())
    await signIn(page, live.email)
  },
  async 'consent for a public client'(page, live) {
    const { client_id } = await live.crm.oauth.publicClients.register({
      client_name: 'Radar',
      redirect_uris: [live.redirectUri],
    })
    await page.goto(
      `${live.base}/mcp/authorize?${new URLSearchParams(publicClientParameters(client_id, { redirect_uri: live.redirectUri }))}`,
    )
    await signIn(page, live.email)
  },
  'an app that does not exist': (page, live) => page.goto(live.authorizeUrl({ client_id: newId() })),
  'a public client that does not exist': (page, { base }) =>
    page.goto(`${base}/mcp/authorize?${new URLSearchParams(publicClientParameters(newId()))}`),
  async 'an ended request'(page, live) {
    await page.goto(`${live.base}/sign-in`)
    await signIn(page, live.email)
    await page.goto(`${live.base}/oauth/consent?request=${newId()}`)
  },
  async credentials(page, live) {
    await page.goto(await credentialsLink(live))
  },
  async 'a secret'(page, live) {
    await page.goto(await credentialsLink(live))
    await page.locator('main').getByRole('button').click()
  },
  'an expired link': (page, { base }) => page.goto(`${base}/credentials/crm_ln_${'0'.repeat(96)}`),
  'a forgotten password': (page, { base }) => page.goto(`${base}/password/forgot`),
  async 'a new password'(page, live) {
    await page.goto(await resetLink(live))
  },
  async account(page, live) {
    await live.crm.operator.createToken({
      workspace: live.slug,
      client_id: live.registered.client_id,
      user_email: live.email,
    })
    await page.goto(`${live.base}/sign-in`)
    await signIn(page, live.email)
    await page.goto(`${live.base}/account`)
  },
  async 'change of password'(page, live) {
    await page.goto(`${live.base}/account/password`)
    await signIn(page, live.email)
    await page.goto(`${live.base}/account/password`)
  },
  async members(page, live) {
    await page.goto(`${live.base}/sign-in`)
    await signIn(page, live.email)
    await page.goto(`${live.base}/workspaces/${live.slug}/members`)
    await page.getByLabel('E-mail').fill('nia@acme.example')
    await page.locator('main').getByRole('button', { name: /invit/i }).first().click()
  },
  async invitation(page, live) {
    await page.goto(await invitationLink(live))
  },
}

/** Opens each page of the setup, by the address of an empty service. */
const SETUP_PAGES: Readonly<Record<string, (page: Page, base: string) => Promise<unknown>>> = {
  'the country': (page, base) => page.goto(`${base}/setup`),
  'the workspace': (page, base) => page.goto(`${base}/setup?country=BR`),
  async 'the workspace, rejected'(page, base) {
    await page.goto(`${base}/setup?country=BR`)
    await page.locator('form').evaluate((form: { noValidate: boolean }) => {
      form.noValidate = true
    })
    await page.locator('main').getByRole('button').click()
  },
  'an expired link': (page, base) => page.goto(`${base}/setup/crm_ln_${'0'.repeat(96)}`),
}

async function readMailedLink(live: LiveService): Promise<string> {
  const [mail] = await live.sendMail()
  return mail && 'link' in mail ? mail.link : ''
}

async function credentialsLink(live: LiveService): Promise<string> {
  const registration = {
    name: 'Lead Radar',
    email: 'dev@radar.example',
    redirect_uris: ['https://radar.example/cb'],
    scopes: ['people:read'],
  }
  await live.crm.oauth.registerApp(registration, { address: '192.0.2.1', language: 'en' })
  return readMailedLink(live)
}

async function resetLink(live: LiveService): Promise<string> {
  await live.crm.accounts.requestPasswordReset(
    { email: live.email },
    { address: '192.0.2.1', language: 'en' },
  )
  return readMailedLink(live)
}

async function invitationLink(live: LiveService, email = 'nia@acme.example'): Promise<string> {
  const userSession = { session_id: newId(), user: live.workspace.owner }
  await live.crm.accounts.invite(userSession, live.slug, { email, role: 'member' }, { language: 'en' })
  return readMailedLink(live)
}

/** Checks a page on a phone in light mode, and on a desktop in dark mode. */
async function checkPage(base: string, heading: string, open: (page: Page) => Promise<unknown>) {
  const page = await openPage({
    viewport: { width: 360, height: 740 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  const consoleMessages: string[] = []
  const externalRequests: string[] = []
  page.on('console', (message) => void consoleMessages.push(message.text()))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== base) externalRequests.push(request.url())
  })
  await open(page)

  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  expect(await page.locator('h1').count()).toBe(1)
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  expect(await page.title()).not.toBe('')
  expect(await page.locator('script, [style], [onclick]').count()).toBe(0)
  expect(await page.evaluate('document.styleSheets.length')).toBe(1)
  expect(await violations(page), 'phone, light mode').toEqual([])
  const [pageWidth, windowWidth] = (await page.evaluate(
    '[document.documentElement.scrollWidth, window.innerWidth]',
  )) as [number, number]
  expect(pageWidth).toBeLessThanOrEqual(windowWidth)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page), 'desktop, dark mode').toEqual([])
  expect(externalRequests).toEqual([])
  // Chromium logs error statuses to the console.
  expect(consoleMessages.filter((text) => !/the server responded with a status of 4\d\d/.test(text))).toEqual(
    [],
  )
}

describe.skipIf(CHROMIUM === null)('pages in a browser', () => {
  test.each(Object.keys(PAGES))(
    'the page %s is accessible, fits a phone, loads nothing external and runs no script',
    async (name) => {
      const live = await openLiveService(memoryStorage())
      await checkPage(live.base, HEADINGS[name]!, (page) => PAGES[name]!(page, live))
    },
  )

  test.each(Object.keys(SETUP_PAGES))(
    'the page of the setup with %s is accessible, fits a phone, loads nothing external and runs no script',
    async (name) => {
      const base = await openEmptyLiveService(memoryStorage())
      await checkPage(base, 'Set up your CRM', (page) => SETUP_PAGES[name]!(page, base))
    },
  )

  test('sign-in and approval are possible with the keyboard', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openPage({ javaScriptEnabled: false })
    await page.goto(live.authorizeUrl({ state: 'x+y %00 ü' }))
    await page.getByLabel('E-mail').focus()
    await page.keyboard.type(live.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(/consent/)
    const callbackUrl = live.comeBack()
    const approve = page.getByRole('button', { name: /^(Allow|Approve)/ })
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab')
      if (await approve.evaluate((button) => button.ownerDocument.activeElement === button)) break
    }
    await page.keyboard.press('Enter')
    const url = await callbackUrl
    expect(url.searchParams.get('state')).toBe('x+y %00 ü')
    expect(url.searchParams.get('iss')).toBe(live.base)
    expect(url.searchParams.get('code')).toMatch(/^crm_ac_/)
  })

  test('denial redirects with access_denied, and going back cannot approve', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openPage()
    await page.goto(live.authorizeUrl({ state: 's' }))
    await signIn(page, live.email)
    const callbackUrl = live.comeBack()
    await page.getByRole('button', { name: /^Deny/ }).click()
    expect(Object.fromEntries((await callbackUrl).searchParams)).toEqual({
      error: 'access_denied',
      state: 's',
      iss: live.base,
    })
    await page.waitForURL(`${live.redirectUri}?**`)
    await page.goBack()
    const approve = page.getByRole('button', { name: /^(Allow|Approve)/ })
    if (await approve.isVisible()) await approve.click()
    await page.getByRole('heading', { name: 'This request has ended' }).waitFor()
  })

  test('an app may redirect the user to another site after approval', async () => {
    const live = await openLiveService(memoryStorage(), { sendsOn: 'http' })
    const page = await openPage()
    await page.goto(live.authorizeUrl())
    await signIn(page, live.email)
    await page.getByRole('button', { name: /^(Allow|Approve)/ }).click()
    await page.waitForURL(/^http:\/\/localhost:\d+\/welcome$/)
  })

  test('an app may send the user on to a program of its own after approval', async () => {
    const live = await openLiveService(memoryStorage(), { sendsOn: 'myapp' })
    const page = await openPage()
    const refusals: string[] = []
    page.on('console', (message) => refusals.push(message.text()))
    await page.goto(live.authorizeUrl())
    await signIn(page, live.email)
    const callbackUrl = live.comeBack()
    await page.getByRole('button', { name: /^(Allow|Approve)/ }).click()
    expect((await callbackUrl).searchParams.get('code')).toMatch(/^crm_ac_/)
    // The browser reports what it refuses before it is idle.
    await page.waitForLoadState('networkidle')
    expect(refusals.filter((text) => text.includes('Content Security Policy'))).toEqual([])
  })

  test('"not you?" leads through another sign-in to the same request', async () => {
    const live = await openLiveService(memoryStorage())
    await live.crm.operator.addMember({
      workspace: live.slug,
      name: 'Bob',
      email: `bob@${live.slug}.example`,
      role: 'member',
      password: PASSWORD,
    })
    const page = await openPage()
    await page.goto(live.authorizeUrl({ state: 's' }))
    await signIn(page, live.email)
    await page
      .locator('main')
      .getByRole('button', { name: /not you/i })
      .click()
    await signIn(page, `bob@${live.slug}.example`)
    const callbackUrl = live.comeBack()
    await page.getByRole('button', { name: /^(Allow|Approve)/ }).click()
    expect((await callbackUrl).searchParams.get('code')).toMatch(/^crm_ac_/)
  })

  test('an invited user joins from the mail, approves an app and disconnects it', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openPage()
    await page.goto(await invitationLink(live))
    await page.getByLabel('Your name').fill('Nia Nova')
    await page.getByLabel('Password').fill('a password of my own')
    await page.locator('main').getByRole('button').click()
    const callbackUrl = live.comeBack()
    await page.goto(live.authorizeUrl())
    await page.getByRole('button', { name: /^(Allow|Approve)/ }).click()
    const { client_id, client_secret } = live.registered
    const code = (await callbackUrl).searchParams.get('code') ?? ''
    const tokens = await live.crm.oauth.token({
      grant_type: 'authorization_code',
      code,
      client_id,
      client_secret,
    })
    const status = async () => {
      const response = await fetch(`${live.base}/v1/people`, {
        headers: { Authorization: `Bearer ${tokens.access_token}` },
      })
      return response.status
    }
    expect(await status()).toBe(200)
    await page.goto(`${live.base}/account`)
    await page.locator('summary', { hasText: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove Lead Radar' }).click()
    await page.getByText('The app no longer has access.').waitFor()
    expect(await status()).toBe(401)
  })

  test('no page is displayed in a frame of another site', async () => {
    const live = await openLiveService(memoryStorage())
    const url = `${live.base}/sign-in`
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end(`<iframe src="${url}"></iframe>`)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const page = await openPage()
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    const frame = page.frames().at(-1)
    expect(await frame?.locator('input').count()).toBe(0)
  })

  test('a Brazilian browser gets Portuguese', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openPage({ locale: 'pt-BR' })
    await page.goto(live.authorizeUrl())
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR')
    expect(await page.getByRole('button', { name: 'Entrar' }).count()).toBe(1)
  })
})
