import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../apps/server/test/support/chromium-setup.ts'
import { OWNER_EMAIL, OWNER_PASSWORD, SLUG } from '../data.ts'
import { onExit } from '../processes.ts'

const VIEWPORT = { width: 1440, height: 900 }
const TIMEOUT_MS = 30_000

/** Scripts of the page, without their types. */
const PAGE_SCRIPTS = ['probe.ts', 'click-path.ts'].map((name) =>
  stripTypeScriptTypes(readFileSync(fileURLToPath(new URL(`page/${name}`, import.meta.url)), 'utf8')),
)

/** A browser with a session of the workspace's owner. */
export interface ConsoleBrowser {
  readonly version: string
  /** Opens a page in a context of its own, with an empty cache. */
  openTab(options?: { readonly slowdown?: number }): Promise<Tab>
}

/** @property evaluate runs an expression in the page, with `probe` at hand */
export interface Tab {
  readonly page: Page
  readonly devtools: CDPSession
  /** Opens a path of the workspace. Resolves when the response has begun. */
  open(path: string): Promise<void>
  evaluate<T>(expression: string): Promise<T>
  close(): Promise<void>
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** @throws Error without Chromium */
export async function launchBrowser(base: string, slowdown: number): Promise<ConsoleBrowser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('Chromium was not found: install it, or set TEST_CHROMIUM.')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  onExit(() => browser.close())
  const storageState = await signIn(browser, base)
  return {
    version: browser.version(),
    openTab: (options = {}) => openTab(browser, base, storageState, options.slowdown ?? slowdown),
  }
}

async function signIn(browser: Browser, base: string): Promise<StorageState> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${base}/sign-in`)
    await page.fill('#email', OWNER_EMAIL)
    await page.fill('#password', OWNER_PASSWORD)
    await page.click('button.main')
    await page.waitForURL(/\/w\//)
    return await context.storageState()
  } finally {
    await context.close()
  }
}

async function openTab(
  browser: Browser,
  base: string,
  storageState: StorageState,
  slowdown: number,
): Promise<Tab> {
  const context = await browser.newContext({ storageState, viewport: VIEWPORT, locale: 'en-US' })
  context.setDefaultTimeout(TIMEOUT_MS)
  for (const content of PAGE_SCRIPTS) await context.addInitScript({ content })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return {
    page,
    devtools,
    open: async (path) => void (await page.goto(`${base}/w/${SLUG}${path}`, { waitUntil: 'commit' })),
    evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
    close: () => context.close(),
  }
}
