import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Named {
  readonly id: string
}

describe.skipIf(CHROMIUM === null)('the create dialogs', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const pageOf = (path: string) => `${demo.current.base}/w/demo/${path}`
  const create = (path: string, body: object) => callApi<Named>(demo.current, 'POST', path, body)

  /** The only record of a list that has a filter. */
  async function findOne(path: string): Promise<object> {
    const found = await callApi<readonly object[]>(demo.current, 'GET', path)
    return found.length === 1 ? found[0]! : { found: found.length }
  }

  async function createPersonOfCompany() {
    const company = await create('companies', { full_name: 'Helios Bau GmbH' })
    const person = await create('people', { full_name: 'Paula Lindner', company_id: company.id })
    return { company, person }
  }

  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
  const submit = (page: Page) => page.getByRole('button', { name: 'Create', exact: true }).click()

  test('link a deal with the person and the company that it is opened from', async () => {
    const { company, person } = await createPersonOfCompany()
    const links = { person: { id: person.id }, company: { id: company.id } }
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${person.id}`))
    await page.getByRole('heading', { level: 1, name: 'Paula Lindner' }).waitFor()
    await page.keyboard.press('d')
    await dialogOf(page, 'New deal').getByRole('textbox', { name: 'Name' }).fill('By the key')
    await submit(page)
    await expect.poll(() => findOne('deals?search=By the key')).toMatchObject(links)

    // A list has the people without their companies.
    await page.goto(pageOf('people?search=Lindner'))
    await page.getByRole('link', { name: 'Paula Lindner' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or do' }).fill('From the palette')
    await page.getByRole('option', { name: 'New deal “From the palette”' }).click()
    await dialogOf(page, 'New deal').getByLabel('Company').waitFor()
    await submit(page)
    await expect.poll(() => findOne('deals?search=From the palette')).toMatchObject(links)
  })

  test('link a task with the deal that it is opened from, and with its person and company', async () => {
    const { company, person } = await createPersonOfCompany()
    const deal = await create('deals', {
      name: 'Solar roof',
      person_id: person.id,
      company_id: company.id,
    })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`deals/${deal.id}`))
    await page.getByRole('heading', { level: 1, name: 'Solar roof' }).waitFor()
    await page.keyboard.press('t')
    await dialogOf(page, 'New task').getByText('Paula Lindner · Helios Bau GmbH').waitFor()
    await dialogOf(page, 'New task').getByRole('textbox', { name: 'Title' }).fill('Measure the roof')
    await submit(page)
    await expect
      .poll(() => findOne(`tasks?deal_id=${deal.id}`))
      .toMatchObject({ deal: { id: deal.id }, person: { id: person.id }, company: { id: company.id } })
  })

  test('take days as they are typed, with a time, and name what is no day', async () => {
    const { time_zone } = await callApi<{ readonly time_zone: string }>(demo.current, 'GET', 'workspace')
    const inZone = (date: string | Date) =>
      new Date(date).toLocaleString('sv-SE', { timeZone: time_zone, dateStyle: 'short', timeStyle: 'short' })
    const tomorrow = inZone(new Date(Date.now() + 86_400_000)).slice(0, 10)
    const deal = await create('deals', { name: 'Dated' })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`deals/${deal.id}`))
    await page.getByRole('heading', { level: 1, name: 'Dated' }).waitFor()
    await page.keyboard.press('t')
    const dialog = dialogOf(page, 'New task')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Call')
    const due = dialog.getByRole('textbox', { name: 'Due' })
    await due.fill('soon')
    await submit(page)
    await dialog.getByText('Not a day. Write it as fri, +3 or tomorrow.').waitFor()
    await due.fill('amanhã 9h')
    await submit(page)
    await dialog.waitFor({ state: 'detached' })
    const task = (await findOne(`tasks?deal_id=${deal.id}`)) as { readonly due_date: string }
    expect(inZone(task.due_date)).toBe(`${tomorrow} 09:00`)

    await page.getByTitle('Edit: Forecast').click()
    const forecast = page.getByRole('textbox', { name: 'Forecast' })
    await forecast.fill('later')
    await forecast.press('Enter')
    await page.getByText('Not a day. Write it as fri, +3 or tomorrow.').waitFor()
    await forecast.fill('+1')
    await forecast.press('Enter')
    await expect
      .poll(async () => {
        const { forecast_date } = await callApi<{ forecast_date: string }>(
          ...([demo.current, 'GET', `deals/${deal.id}`] as const),
        )
        return forecast_date && inZone(forecast_date).slice(0, 10)
      })
      .toBe(tomorrow)
  })

  test('discard what was written when they are cancelled, offer it back, and show it nowhere else', async () => {
    const person = await create('people', { full_name: 'Draft Reader' })
    const page = await enterDemo(demo.current)
    const nameIn = (title: string) => dialogOf(page, title).getByRole('textbox', { name: 'Name' })
    await page.goto(pageOf('people'))
    await page.getByRole('button', { name: 'New person' }).first().click()
    await nameIn('New person').fill('Half a name')
    await page.keyboard.press('Escape')
    await page.getByText('What you wrote was discarded.').waitFor()
    await page.keyboard.press('c')
    await dialogOf(page, 'New person').locator(':focus').waitFor()
    expect(await nameIn('New person').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await nameIn('New person').waitFor({ state: 'hidden' })
    await page.keyboard.press('z')
    await expect.poll(() => nameIn('New person').inputValue()).toBe('Half a name')

    // A reload keeps it, at its place alone.
    await page.goto(pageOf('deals'))
    await page.getByRole('button', { name: 'New deal' }).first().click()
    await nameIn('New deal').fill('Of the board')
    await page.goto(pageOf(`people/${person.id}`))
    await page.getByRole('heading', { level: 1, name: 'Draft Reader' }).waitFor()
    await page.keyboard.press('d')
    await nameIn('New deal').waitFor()
    expect(await nameIn('New deal').inputValue()).toBe('')
    expect(await dialogOf(page, 'New deal').getByLabel('Person').inputValue()).toBe('Draft Reader')
    await page.goto(pageOf('deals'))
    await page.locator('[data-deal]').first().waitFor()
    await page.keyboard.press('c')
    await expect.poll(() => nameIn('New deal').inputValue()).toBe('Of the board')
  })

  test('forget what was written at the sign-out', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('people'))
    await page.getByRole('button', { name: 'New person' }).first().click()
    await dialogOf(page, 'New person').getByRole('textbox', { name: 'Name' }).fill('Half a name')
    await page.reload()
    const drafts = () =>
      page.evaluate('Object.keys(sessionStorage).filter((key) => key.includes("draft")).length')
    expect(await drafts()).toBe(1)
    const other = await page.context().newPage()
    await other.goto(pageOf('people'))
    await page.getByRole('button', { name: 'Ana Lima' }).first().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${demo.current.base}/sign-in`)
    expect(await drafts()).toBe(0)
    await other.waitForURL(`${demo.current.base}/sign-in`)
  })
})
