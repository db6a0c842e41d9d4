import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, type DemoProcess, enterDemo, useDemo } from './demo-console.ts'

const DESK: BrowserContextOptions = { colorScheme: 'light' }
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
}

/** Each page by its path, and the heading that shows when it is there. */
const PAGES: Readonly<Record<string, readonly [path: string, heading: string | RegExp]>> = {
  'My day': ['', 'My day'],
  'the board': ['deals', 'New business'],
  'the table of deals': ['deals?view=table', 'New business'],
  people: ['people', 'People'],
  companies: ['companies', 'Companies'],
  products: ['products', 'Products'],
  tasks: ['tasks', 'Tasks'],
  reports: ['reports', 'Reports'],
  settings: ['settings/pipelines', 'Settings'],
  'the workspace': ['settings/workspace', 'Settings'],
  members: ['settings/members', 'Settings'],
  welcome: ['welcome', 'Demo Ltda is ready'],
  'a page that does not exist': ['nowhere', 'Not found'],
}

/** Each state, from the board. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the palette': async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or do' }).fill('alp')
    await page.getByRole('option').first().waitFor()
  },
  'the sheet of keys': async (page) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
  },
  'a new deal with faults': async (page) => {
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Amount' }).fill('many')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Not an amount in BRL. Write it as 1.350,50.').waitFor()
  },
  'the menu of a card': async (page) => {
    await page.locator('[data-deal]').first().hover()
    await page.locator('[data-deal]').first().getByRole('button').click()
    await page.getByRole('menu').waitFor()
  },
  'the choice of a stage': async (page) => {
    await page.keyboard.press('j')
    await page.keyboard.press('m')
    await page.getByRole('dialog', { name: /^Move to/ }).waitFor()
  },
  'selected cards': async (page) => {
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+J')
    await page.getByRole('region', { name: '2 selected' }).waitFor()
  },
  'the palette with a card at hand': async (page) => {
    await page.keyboard.press('j')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or do' }).fill('move')
    await page.getByRole('option', { name: /Move to a stage/ }).waitFor()
  },
  'the fields of a task': async (page) => {
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.locator('[data-row="0"]').waitFor()
    await page.keyboard.press('j')
    await page.locator('[data-row]:focus-within').waitFor()
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Edit the task' }).waitFor()
  },
  'a toast': async (page) => {
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText(/^Moved to /).waitFor()
  },
}

describe.skipIf(CHROMIUM === null)('the console', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)

  describe.each([
    ['on a light desk', DESK],
    ['on a dark phone', PHONE],
  ] as const)('%s', (_, options) => {
    test('has no accessibility violations on any page, and no sideways scroll', async () => {
      const page = await enterDemo(demo.current, options)
      for (const [name, [path, heading]] of Object.entries({
        ...PAGES,
        ...(await recordPages(demo.current)),
      })) {
        await page.goto(`${demo.current.base}/w/demo/${path}`)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        await page.waitForLoadState('networkidle')
        expect({ [name]: await violations(page) }).toEqual({ [name]: [] })
        const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect({ [name]: width }).toEqual({ [name]: 0 })
      }
    }, 240_000)
  })

  test('has no accessibility violations in any state', async () => {
    const page = await enterDemo(demo.current, DESK)
    for (const [name, open] of Object.entries(STATES)) {
      await page.goto(`${demo.current.base}/w/demo/deals`)
      await page.locator('[data-deal]').first().waitFor()
      await open(page)
      expect({ [name]: await violations(page, true) }).toEqual({ [name]: [] })
    }
  }, 240_000)

  test('has the board as a tree of headings and lists that a screen reader can follow', async () => {
    const page = await enterDemo(demo.current, DESK)
    await page.goto(`${demo.current.base}/w/demo/deals`)
    await page.locator('[data-deal]').first().waitFor()
    const tree = await page.getByRole('main').ariaSnapshot()
    expect(tree).toMatch(/- heading "New business" \[level=1\]/)
    expect(tree).toMatch(/- region "Deals by stage"/)
    expect(tree).toMatch(/- region "Qualified \d+":\n\s+- heading "Qualified \d+" \[level=2\]/)
    expect(tree).toMatch(/- heading ".+" \[level=3\]:\n\s+- link/)
    expect(tree).toMatch(/- button "Actions for .+"/)
    expect(tree).toMatch(/- img "Ana Lima"/)
  })

  test('moves the focus past the navigation by its first link', async () => {
    const page = await enterDemo(demo.current, DESK)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
  })
})

/** The page of a record of each kind. */
async function recordPages(demo: DemoProcess): Promise<typeof PAGES> {
  const pages: Record<string, readonly [string, string]> = {}
  for (const kind of ['people', 'companies', 'deals']) {
    const [record] = await callApi<readonly { id: string; full_name?: string; name?: string }[]>(
      demo,
      'GET',
      `${kind}?per_page=1`,
    )
    pages[`a record of ${kind}`] = [`${kind}/${record?.id}`, record?.full_name ?? record?.name ?? '']
  }
  return pages
}
