import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

const ROWS = [
  'Deal;Stage;Owner',
  'Remedy One;Contato feito;rita@other.example',
  'Remedy Two;contato feito;rita@other.example',
  'Remedy Three;???;',
]

interface Deal {
  readonly name: string
  readonly stage: { readonly name: string }
  readonly owner: { readonly email: string } | null
}

interface Pipeline {
  readonly stages: readonly { readonly name: string }[]
}

describe.skipIf(CHROMIUM === null)('the remedies of an import', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)

  /** Checks the rows, which have two problems. */
  async function openCheck(options?: BrowserContextOptions): Promise<Page> {
    const page = await enterDemo(demo.current, options)
    await page.goto(`${demo.current.base}/w/demo/import`)
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'deals.csv', mimeType: 'text/csv', buffer: Buffer.from(ROWS.join('\n')) },
    })
    await page.getByText(/^3 (?:rows, 3 columns|linhas, 3 colunas)$/).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: /^(?:Check|Conferir) 3/ }).click()
    await page.getByText('Contato feito').first().waitFor()
    return page
  }

  test('let a name that is not there become one that is, and keep what is chosen meanwhile', async () => {
    const [pipeline] = await callApi<Pipeline[]>(demo.current, 'GET', 'pipelines')
    const stage = pipeline!.stages[1]!.name
    const { email } = await callApi<{ email: string }>(demo.current, 'GET', 'me')
    const page = await openCheck()
    const panel = page.getByRole('region', { name: 'What the cells shall be' })
    const contact = panel.getByRole('combobox', { name: /^“Contato feito” becomes 2 rows$/ })
    await contact.selectOption({ label: stage })
    await page.getByRole('combobox', { name: /“\?\?\?” becomes/ }).selectOption('Leave empty')
    await page.getByRole('button', { name: /^Owner: no member/ }).click()
    await panel.getByRole('button', { name: 'Invite rita@other.example' }).click()
    expect(await page.getByRole('dialog').getByRole('textbox').inputValue()).toBe('rita@other.example')
    await page.keyboard.press('Escape')
    await panel.getByRole('combobox').selectOption({ label: await optionWith(panel, email) })

    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.goBack()
    await contact.waitFor()
    expect(await contact.locator('option:checked').textContent()).toBe(stage)
    await panel.getByRole('button', { name: 'Apply 3 choices and check again' }).click()
    await page.getByText('Every row is fine.').waitFor()
    const applied = page.getByRole('region', { name: 'Other than in the file' })
    await applied.getByText(`“Contato feito” becomes ${stage}`).waitFor()

    await applied.getByRole('button', { name: 'Take back the choices of Owner' }).click()
    await page.getByRole('button', { name: /^Owner: no member/ }).waitFor()
    await panel.getByRole('checkbox', { name: 'Leave wrong cells of Owner empty' }).check()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: /^Owner: no member.*left empty/ }).waitFor()
    await page.getByText('Every row is fine.').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('3 of 3 rows are in whole.').waitFor()
    const deals = await callApi<Deal[]>(
      demo.current,
      'GET',
      'deals?search=remedy&order_by=created_at&order=asc',
    )
    const named = Object.fromEntries(deals.map(({ name, ...deal }) => [name, [deal.stage.name, deal.owner]]))
    expect(named).toEqual({
      'Remedy One': [stage, null],
      'Remedy Two': [stage, null],
      'Remedy Three': [expect.any(String), null],
    })
  }, 60_000)

  test.each<[string, BrowserContextOptions]>([
    ['a light desk', { colorScheme: 'light' }],
    [
      'a dark phone in Portuguese',
      {
        ...{ colorScheme: 'dark', locale: 'pt-BR' },
        ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      },
    ],
  ])(
    'have no accessibility violations on %s, and no sideways scroll',
    async (_, options) => {
      const page = await openCheck(options)
      const owner = page.getByRole('button', { name: /no member|nenhum membro/ })
      await owner.click()
      const panel = page.getByRole('region', { name: /^(?:What the cells|O que as células)/ })
      await panel.waitFor()
      expect(await panel.evaluate(isInSight)).toBe(true)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      if (options.locale)
        expect(await panel.innerText()).not.toMatch(/\b(?:the|becomes|leave|choose|invite|row|check)\b/i)
    },
    60_000,
  )
})

/** True if the top of an element is on the screen. */
function isInSight(element: object): boolean {
  const { top } = (element as { getBoundingClientRect(): { readonly top: number } }).getBoundingClientRect()
  return top >= 0 && top < (globalThis as unknown as { readonly innerHeight: number }).innerHeight
}

/** The text of the option that has a part. */
async function optionWith(panel: ReturnType<Page['getByRole']>, part: string): Promise<string> {
  return (await panel.locator('option', { hasText: part }).textContent()) ?? ''
}
