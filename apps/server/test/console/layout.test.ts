import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Box {
  readonly x: number
  readonly width: number
}

const boxOf = async (page: Page, selector: string): Promise<Box> =>
  (await page.locator(selector).boundingBox()) as Box

describe.skipIf(CHROMIUM === null)('the layout', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const pageOf = (path: string) => `${demo.current.base}/w/demo/${path}`
  const create = (path: string, body: object) =>
    callApi<{ readonly id: string }>(demo.current, 'POST', path, body)

  test('is as high as the window, on each page', async () => {
    const page = await enterDemo(demo.current)
    for (const path of ['', 'deals', 'people', 'reports', 'settings/tags']) {
      await page.goto(pageOf(path))
      await page.locator('main h1').waitFor()
      expect([path, await page.evaluate('document.documentElement.scrollHeight')]).toEqual([path, 900])
    }
  })

  test('shows messages no wider than they are, inside the sheet', async () => {
    const task = (title: string) =>
      create('tasks', { title, due_date: new Date().toISOString(), owner_email: 'ana@demo.example' })
    const long = await task('Prepare the offer with all of its appendices '.repeat(4).trim())
    const short = await task('Call')
    const page = await enterDemo(demo.current)
    const complete = (id: string) => page.locator(`[data-task="${id}"] input`).click()
    await complete(long.id)
    const toast = '[class*=toast]:has-text("completed.")'
    await page.locator(toast).last().waitFor()
    const [wide, sheet] = [await page.locator(toast).last().boundingBox(), await boxOf(page, '#content')]
    expect(wide!.x).toBeGreaterThan(sheet.x)
    expect(wide!.x + wide!.width).toBeLessThan(sheet.x + sheet.width)
    expect(wide!.width).toBeLessThanOrEqual(640)
    await complete(short.id)
    await page.getByText('“Call” completed.').first().waitFor()
    await expect.poll(async () => (await page.locator(toast).last().boundingBox())?.width).toBeLessThan(320)
  })

  test('has e-mails and phones as links, which nothing in an address extends, and breaks them between words', async () => {
    const email = 'bartholomew.featherstone@northernlights.cooperative.example'
    const person = await create('people', {
      full_name: 'Linked Reader',
      emails: [{ email }, { email: 'ana+crm@acme.example' }],
      phones: [{ phone: '+55 11 4000-0002' }],
    })
    const page = await enterDemo(demo.current)
    for (const path of [`people/${person.id}`, 'people?search=linked reader']) {
      await page.goto(pageOf(path))
      const link = (name: string) => page.getByRole('link', { name }).getAttribute('href')
      expect(await link('ana+crm@acme.example')).toBe('mailto:ana%2Bcrm@acme.example')
      expect(await link('+55 11 4000-0002')).toBe('tel:+551140000002')
    }
    const row = page.locator('[data-row="0"]')
    expect((await row.boundingBox())?.height).toBeLessThan(40)
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Position' }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor()

    await page.goto(pageOf(`people/${person.id}`))
    await page.getByRole('link', { name: email }).waitFor()
    const lines = await page.evaluate(`[...document.querySelectorAll('dd a[href^=mailto]')].flatMap((link) =>
      [...link.childNodes].filter((node) => node.nodeType === 3).map((node) => {
        const range = document.createRange()
        range.selectNode(node)
        return range.getClientRects().length
      }))`)
    expect(new Set(lines as number[])).toEqual(new Set([1]))
  })

  test('leaves the names of fields as they were written', async () => {
    await create('custom-fields', { label: 'Zé CPF', key: 'ze_cpf', type: 'cpf', show_people: true })
    const person = await create('people', { full_name: 'Named Fields' })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${person.id}`))
    await page.getByRole('button', { name: 'Add Zé CPF' }).waitFor()
    expect(await page.getByText('Add position').count()).toBe(1)
    expect(await page.getByText('Add Zé CPF', { exact: true }).textContent()).toBe('Add Zé CPF')
  })
})
