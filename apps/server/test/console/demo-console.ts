import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { freePort } from '../support/service-process.ts'

export const CHROMIUM = inject('chromium')
const DEMO = join(import.meta.dirname, '../../src/demo.ts')

let browser: Promise<Browser> | undefined

/** A process of the demo, which the tests of a file share. */
export interface DemoProcess {
  readonly base: string
  /** Of the demo's owner, with all scopes. */
  readonly token: string
  readonly signal: (name: NodeJS.Signals) => void
}

/** Starts the demo on a database before the tests of a file, and ends it after them. */
export function useDemo(databaseUrl: (folder: string) => string | Promise<string>): { current: DemoProcess } {
  const demo = {} as { current: DemoProcess }
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'crm-console-test-'))
    const port = await freePort()
    const env = {
      PORT: String(port),
      DATABASE_URL: await databaseUrl(folder),
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const child = spawn(process.execPath, [DEMO], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let token = ''
    for await (const line of createInterface({ input: child.stdout })) {
      token ||= /^TOKEN=(.+)$/.exec(line)?.[1] ?? ''
      if (line.startsWith('Ctrl+C')) break
    }
    if (token === '') throw new Error('The demo did not start.')
    child.stdout.resume()
    demo.current = {
      base: `http://127.0.0.1:${port}`,
      token,
      signal: (name) => void child.kill(name),
    }
    return async () => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true, force: true })
    }
  }, 60_000)
  return demo
}

afterAll(async () => {
  await (await browser)?.close()
  browser = undefined
})

/** Opens a page without a session. Errors that the browser reports fail the test. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] })
  const context = await (await browser).newContext({
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    ...options,
  })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    // A refused call is shown to the user, and reported here, too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    if (errors.length > 0) throw new Error(`The browser reported: ${errors.join('\n')}`)
  })
  context.setDefaultTimeout(15_000)
  return page
}

/** Opens the console as the demo's owner, by one press. */
export async function enterDemo({ base }: DemoProcess, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openPage(options)
  await page.goto(base)
  await page.locator('button.main').first().click()
  await page.waitForURL(`${base}/w/demo/`)
  return page
}

/**
 * Answers the calls of a page in place of the service. A page may send a call past a route that was just added: it knows
 * of the route when it has answered.
 */
export async function interceptCalls(page: Page, ...[url, handle]: Parameters<Page['route']>): Promise<void> {
  await page.route(url, handle)
  await page.evaluate('0')
}

/** Calls the API as somebody else would, beside the console. */
export async function callApi<T>(
  { base, token }: DemoProcess,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${base}/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? (undefined as T) : ((await response.json()) as { data: T }).data
}

/** Clicks what saves a file, and reads the file. */
export async function saveFile(
  page: Page,
  name: string,
  role: 'button' | 'menuitem' = 'button',
): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole(role, { name }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}
