import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { memoryStorage } from '@sales-crm/core/memory'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, type LiveService, openLiveService, openPage, signIn } from './live-service.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Opens a page with a long timeout: Swagger UI is slow on a busy machine. */
async function openSlowPage(options?: BrowserContextOptions): Promise<Page> {
  const page = await openPage(options)
  page.setDefaultTimeout(30_000)
  return page
}

async function violations(page: Page, part: string): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = (await page.evaluate(`axe.run('${part}')`)) as { violations: readonly Violation[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>
}

/** Opens an operation of the reference, and its section. */
async function openOperation(
  page: Page,
  { base }: LiveService,
  method: string,
  path: string,
): Promise<Locator> {
  if (!page.url().startsWith(`${base}/docs`)) await page.goto(`${base}/docs`)
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApiDocument
  const section = page.locator(`.opblock-tag[data-tag="${document.paths[path]![method]!.tags[0]}"]`)
  if ((await section.getAttribute('data-is-open')) === 'false') await section.click()
  const operation = page.locator(`.opblock-${method}`).filter({ has: page.locator(`[data-path="${path}"]`) })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Execute' }).waitFor()
  return operation
}

async function pasteToken(page: Page, token: string): Promise<void> {
  await page.locator('.scheme-container').getByRole('button', { name: 'Authorize' }).click()
  const dialog = page.locator('.auth-container').first()
  await dialog.locator('input').fill(token)
  await dialog.getByRole('button', { name: 'Authorize' }).click()
  await page.locator('.close-modal').click()
}

/** Executes an operation; returns the response as displayed. */
async function executeOperation(
  operation: Locator,
): Promise<{ readonly status: string; readonly body: string }> {
  await operation.getByRole('button', { name: 'Execute' }).click()
  return shownResponse(operation)
}

async function shownResponse(
  operation: Locator,
): Promise<{ readonly status: string; readonly body: string }> {
  const responseRow = operation.locator('.live-responses-table tbody tr')
  await responseRow.locator('.microlight').first().waitFor()
  return {
    status: (await responseRow.locator('.response-col_status').innerText()).trim(),
    body: await responseRow.locator('.microlight').first().innerText(),
  }
}

async function tokenFor({ crm, slug, email, registered }: LiveService): Promise<string> {
  const app = await crm.operator.createApp({
    ...{
      name: 'Mine',
      email,
      redirect_uris: ['https://mine.example/cb'],
      scopes: ['people:read', 'people:write'],
    },
  })
  expect(app.client_id).not.toBe(registered.client_id)
  const { access_token } = await crm.operator.createToken({
    workspace: slug,
    client_id: app.client_id,
    user_email: email,
  })
  return access_token
}

/** Collects script errors, console errors and requests to other origins. */
function collectProblems(page: Page, { base }: LiveService): readonly string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => void problems.push(error.message))
  page.on('console', (message) => {
    const isExpected = /the server responded with a status of 401/.test(message.text())
    if (message.type() === 'error' && !isExpected) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) problems.push(request.url())
  })
  return problems
}

/** Checks accessibility of a part and width on a phone in light mode and on a desktop in dark mode. */
async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  await renderIn(page, 'light', { width: 360, height: 740 })
  expect(await violations(page, part), 'phone, light mode').toEqual([])
  const [pageWidth, windowWidth] = (await page.evaluate(
    '[document.documentElement.scrollWidth, window.innerWidth]',
  )) as [number, number]
  expect(pageWidth).toBeLessThanOrEqual(windowWidth)
  await renderIn(page, 'dark', { width: 1280, height: 800 })
  expect(await violations(page, part), 'desktop, dark mode').toEqual([])
}

async function renderIn(
  page: Page,
  colorScheme: 'light' | 'dark',
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const isReference = (await page.locator('#reference').count()) > 0
  if (isReference)
    await page.locator('html.dark-mode').waitFor({ state: colorScheme === 'dark' ? 'attached' : 'detached' })
  // The page reacts to the change in the next frame and is drawn in the one after.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

describe.skipIf(CHROMIUM === null)('the documentation in a browser', { timeout: 120_000 }, () => {
  test('getting started is accessible and fits a phone', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openSlowPage()
    const problems = collectProblems(page, live)
    await page.goto(`${live.base}/docs/start`)
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  test('the reference is accessible, fits a phone, obeys its policy and loads nothing external', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openSlowPage()
    const problems = collectProblems(page, live)
    await executeOperation(await openOperation(page, live, 'get', '/v1/people'))
    await openOperation(page, live, 'post', '/v1/people')
    // A filtered list is sufficient, as all operations have the same markup.
    await page.getByPlaceholder('Filter by tag or path').fill('people')
    await page.locator('[data-path="/v1/companies"]').first().waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.locator('.scheme-container').getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.auth-container input').first().waitFor()
    await expectAccessible(page, '.dialog-ux')
    expect(problems).toEqual([])
    expect(await page.evaluate('document.cookie')).toBe('')
  })

  test('a pasted token creates and lists records, and is not stored; an error shows its fields', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openSlowPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${live.base}/docs`)
    await pasteToken(page, await tokenFor(live))

    const createOperation = await openOperation(page, live, 'post', '/v1/people')
    expect(await createOperation.getByPlaceholder('Idempotency-Key').inputValue()).toBe('')
    await createOperation.locator('textarea').fill('{"full_nam": "Ada"}')
    const refused = await executeOperation(createOperation)
    expect([refused.status, refused.body]).toEqual([
      '422',
      expect.stringContaining('Unknown field. Did you mean \\"full_name\\"?'),
    ])
    await createOperation.locator('textarea').fill('{"full_name": "Ada Example"}')
    await createOperation.getByRole('button', { name: 'Execute' }).click()
    await createOperation.locator('.live-responses-table .response-col_status', { hasText: '201' }).waitFor()
    const created = await shownResponse(createOperation)
    expect(JSON.parse(created.body)).toMatchObject({ data: { full_name: 'Ada Example' } })
    const listed = await executeOperation(await openOperation(page, live, 'get', '/v1/people'))
    expect(listed.status).toBe('200')
    expect(JSON.parse(listed.body)).toMatchObject({
      data: [{ full_name: 'Ada Example' }],
      meta: { total: 1 },
    })

    expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0])
    await page.reload()
    expect((await executeOperation(await openOperation(page, live, 'get', '/v1/companies'))).status).toBe(
      '401',
    )
  })

  test('an app with the redirect URI of the reference is authorized from it, with PKCE', async () => {
    const live = await openLiveService(memoryStorage())
    const app = await live.crm.operator.createApp({
      ...{
        name: 'Mine',
        email: live.email,
        redirect_uris: [`${live.base}/docs/oauth2-redirect.html`],
        scopes: ['people:read'],
      },
    })
    const page = await openSlowPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${live.base}/docs`)
    await page.locator('.scheme-container').getByRole('button', { name: 'Authorize' }).click()
    const dialog = page
      .locator('.auth-container')
      .filter({ has: page.locator('#client_id_authorizationCode') })
    await dialog.locator('#client_id_authorizationCode').fill(app.client_id)
    await dialog.locator('#client_secret_authorizationCode').fill(app.client_secret)
    await dialog.locator('label[for="people:read-authorizationCode-checkbox-oauth2"]').first().click()
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Authorize' }).click()
    const popup = await opened
    await popup.waitForURL(/sign-in/)
    await signIn(popup, live.email)
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: /^(Allow|Approve)/ }).click()
    await closed
    await page.getByRole('button', { name: 'Logout' }).waitFor()
    await page.locator('.close-modal').click()
    expect((await executeOperation(await openOperation(page, live, 'get', '/v1/people'))).status).toBe('200')
  })

  test('calls send no session cookie, and the URL cannot select another document', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openSlowPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${live.base}/sign-in`)
    await signIn(page, live.email)
    await page.waitForURL(/\/w\//)
    const requestedUrls: string[] = []
    page.on('request', (request) => void requestedUrls.push(request.url()))
    await page.goto(
      `${live.base}/docs?url=https://evil.example/openapi.json&configUrl=https://evil.example/config.json`,
    )
    const called = page.waitForRequest(/\/v1\/people/)
    await executeOperation(await openOperation(page, live, 'get', '/v1/people'))
    expect((await (await called).allHeaders())['cookie']).toBeUndefined()
    expect(
      requestedUrls.filter((url) => new URL(url).origin !== live.base && !url.startsWith('data:')),
    ).toEqual([])
  })

  test('a URL with an operation opens that operation', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openSlowPage({ viewport: { width: 1280, height: 800 } })
    await openOperation(page, live, 'post', '/v1/people')
    const address = page.url()
    expect(address).toContain('#/')
    const otherPage = await openSlowPage({ viewport: { width: 1280, height: 800 } })
    await otherPage.goto(address)
    await otherPage.getByRole('button', { name: 'Execute' }).waitFor()
    expect(await otherPage.locator('.opblock.is-open [data-path]').getAttribute('data-path')).toBe(
      '/v1/people',
    )
  })

  test('an operation can be opened and executed with the keyboard', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openSlowPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${live.base}/docs`)
    await page.locator('.opblock-tag .expand-operation').first().focus()
    await page.keyboard.press('Enter')
    const control = page.locator('.opblock-get .opblock-summary-control').first()
    await control.focus()
    await page.keyboard.press('Enter')
    const execute = page.getByRole('button', { name: 'Execute' })
    await execute.waitFor()
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab')
      if (await execute.evaluate((button) => button.ownerDocument.activeElement === button)) break
    }
    await page.keyboard.press('Enter')
    await page.locator('.live-responses-table .response-col_status').first().waitFor()
  })

  test('under another host name, the page names the address for calls', async () => {
    const live = await openLiveService(memoryStorage())
    const page = await openSlowPage()
    await page.goto(`${live.base}/docs`)
    await page.locator('.opblock').first().waitFor()
    expect(await page.locator('#elsewhere').isVisible()).toBe(false)
    await page.goto(`${live.base.replace('127.0.0.1', 'localhost')}/docs`)
    await page.getByText(`Operations can only be tried at ${live.base}`).waitFor()
  })

  test("without a listening app, the browser's address contains the code", async () => {
    const live = await openLiveService(memoryStorage())
    const { client_id } = await live.crm.operator.createApp({
      ...{
        name: 'Mine',
        email: live.email,
        redirect_uris: ['http://localhost:8976/callback'],
        scopes: ['people:read'],
      },
    })
    const page = await openSlowPage()
    const parameters = {
      client_id,
      response_type: 'code',
      state: 'start',
      redirect_uri: 'http://localhost:8976/callback',
    }
    await page.goto(`${live.base}/oauth/authorize?${new URLSearchParams(parameters)}`)
    await signIn(page, live.email)
    const failed = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: /^(Allow|Approve)/ }).click()
    expect((await failed).url()).toMatch(/^http:\/\/localhost:8976\/callback\?code=crm_ac_/)
  })
})
