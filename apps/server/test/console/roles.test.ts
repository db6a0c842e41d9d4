import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, useDemo } from './demo-console.ts'
import { addMember, openAsMember } from './sign-in-member.ts'

interface Created {
  readonly id: string
}
interface Pipeline extends Created {
  readonly stages: readonly (Created & { readonly name: string })[]
}

const MARA = 'mara@demo.example'
const ANA = 'ana@demo.example'
const DAY_MS = 86_400_000

const fieldRow = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
const namesOf = async (items: Locator) =>
  (await items.locator('span').allTextContents()).map((name) => name.trim())

/** Acts, which opens nothing: a new message says the reason. */
async function expectReason(page: Page, reason: string, act: () => Promise<void>): Promise<void> {
  const newest = () =>
    page.evaluate<string | undefined>(`document.querySelector('span[data-type=reason]')?.id`)
  const before = await newest()
  await act()
  await expect.poll(newest).not.toBe(before)
  await page.getByLabel('Messages').getByText(reason).first().waitFor()
  expect(await page.locator('[role=combobox]:not([data-filter-add] *)').count()).toBe(0)
  expect(await page.getByRole('textbox', { name: 'Title' }).count()).toBe(0)
}

async function expectReasonOfKeys(page: Page, reason: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) await expectReason(page, reason, () => page.keyboard.press(key))
}

describe.skipIf(CHROMIUM === null)('a member', () => {
  let databaseUrl = ''
  const demo = useDemo((folder) => {
    databaseUrl = `sqlite:${join(folder, 'crm.db')}`
    return databaseUrl
  })
  beforeAll(() => addMember(databaseUrl, 'Mara Prado', MARA), 60_000)

  const create = <Result extends Created = Created>(kind: string, fields: object) =>
    callApi<Result>(demo.current, 'POST', kind, fields)
  const read = <Result>(path: string) => callApi<Result>(demo.current, 'GET', path)
  const createPipeline = () =>
    create<Pipeline>('pipelines', {
      name: 'Roles',
      stages: [
        { name: 'First', type: 'open', probability: 10 },
        { name: 'Second', type: 'open', probability: 50 },
        { name: 'Won', type: 'win' },
        { name: 'Lost', type: 'lost' },
      ],
    })

  /** Opens a page as the member. A refusal by the service fails the test. */
  async function openPage(path: string): Promise<Page> {
    const page = await openAsMember(demo.current, MARA, path)
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`)
    })
    onTestFinished(() => expect(refused).toEqual([]))
    return page
  }

  test('reads the person of somebody else, and can only add to it', async () => {
    const reason = 'Only Ana Lima and admins may change this person.'
    await create('lists', { name: 'Newsletter' })
    const { id } = await create('people', {
      full_name: 'Of Ana',
      position: 'Buyer',
      emails: [{ email: 'of.ana@example.com' }],
      owner_email: ANA,
    })
    const page = await openPage(`people/${id}`)
    await page.getByText(reason).waitFor()
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText('Buyer').waitFor()
    expect(await details.getByRole('link', { name: 'of.ana@example.com' }).count()).toBe(1)
    expect(await details.getByRole('button').count()).toBe(0)
    for (const name of ['Add a tag', 'Add to a list']) {
      const button = page.getByRole('button', { name, description: reason })
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      await expectReason(page, reason, () => button.click({ force: true }))
    }
    expect(await violations(page)).toEqual([])
    await expectReasonOfKeys(page, reason, ['e', 'o', 'l'])
    await page.keyboard.press('n')
    await page.keyboard.type('Heard of them')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Mara Prado wrote a note').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menu').waitFor()
    expect(await namesOf(page.getByRole('menuitem'))).toEqual(['Add a task', 'Who sees it'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'New person' }).waitFor()
    for (const name of ['Change the owner', 'Add a tag', 'Add to a list', 'Delete…', 'New product'])
      expect([name, await page.getByRole('option', { name }).count()]).toEqual([name, 0])
  })

  test('changes the person who is theirs, and gives it to nobody else', async () => {
    const { id } = await create('people', { full_name: 'Of Mara', position: 'Buyer', owner_email: MARA })
    const page = await openPage(`people/${id}`)
    await fieldRow(page, 'Position').getByRole('button', { name: 'Buyer' }).click()
    await fieldRow(page, 'Position').getByRole('textbox').fill('Director')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await read<{ position: string }>(`people/${id}`)).position)
      .toBe('Director')
    await fieldRow(page, 'Owner').getByRole('button', { name: 'Mara Prado' }).click()
    await page.getByRole('menuitemradio').first().waitFor()
    expect(await page.getByRole('menuitemradio').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('o')
    await page.getByRole('option', { name: 'No owner' }).waitFor()
    expect(await page.getByRole('option').count()).toBe(2)
    await page.getByRole('option', { name: 'No owner' }).click()
    await expect.poll(async () => (await read<{ owner: unknown }>(`people/${id}`)).owner).toBe(null)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).waitFor()
  })

  test('does not move the deal of somebody else', async () => {
    const reason = 'Only Ana Lima and admins may change this deal.'
    const pipeline = await createPipeline()
    const { id } = await create('deals', { name: 'Fixed', pipeline_id: pipeline.id, owner_email: ANA })
    const page = await openPage(`deals/${id}`)
    const stage = page.getByRole('button', { name: 'Second', description: reason })
    await stage.waitFor()
    expect(await stage.getAttribute('aria-disabled')).toBe('true')
    await expectReason(page, reason, () => stage.click({ force: true }))
    await expectReasonOfKeys(page, reason, ['m', 'w', 'Shift+W', 'Shift+ArrowRight'])
    expect(await violations(page)).toEqual([])
    const { stage: now } = await read<{ stage: { name: string } }>(`deals/${id}`)
    expect(now.name).toBe('First')
  })

  test('edits the rows that are theirs, and changes no selection with others', async () => {
    const reason = 'Only Ana Lima and admins may change this person.'
    await create('people', { full_name: 'Rowling A', position: 'Buyer', owner_email: ANA })
    await create('people', { full_name: 'Rowling B', position: 'Buyer', owner_email: MARA })
    const page = await openPage('people?search=Rowling')
    const [first, second] = ['Rowling A', 'Rowling B'].map((name) => page.getByRole('row', { name })) as [
      Locator,
      Locator,
    ]
    await second.waitFor()
    expect(await first.getByRole('button').count()).toBe(0)
    expect(await first.getByText('Buyer').count()).toBe(1)
    await page.keyboard.press('j')
    await expectReasonOfKeys(page, reason, ['e', 'o'])
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await second.getByRole('textbox', { name: 'Position' }).waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('checkbox', { name: 'Select Rowling B' }).check()
    const bar = page.locator('[data-selection]')
    await bar.getByRole('button', { name: 'Delete…' }).waitFor()
    await page.getByRole('checkbox', { name: 'Select Rowling A' }).check()
    await bar.getByText('1 of 2 belongs to others.').waitFor()
    expect(await bar.getByRole('button').allTextContents()).toEqual(['Clear Esc'])
    await expectReasonOfKeys(page, '1 of 2 belongs to others.', ['o', 'l'])
    expect(await violations(page)).toEqual([])
  })

  test('moves only the cards that are theirs', async () => {
    const reason = 'Only Ana Lima and admins may change this deal.'
    const pipeline = await createPipeline()
    const deal = (name: string, owner_email: string) =>
      create('deals', { name, owner_email, pipeline_id: pipeline.id, stage_id: pipeline.stages[0]?.id })
    const foreign = await deal('A of Ana', ANA)
    const own = await deal('B of Mara', MARA)
    const stageOf = async ({ id }: Created) =>
      (await read<{ stage: { name: string } }>(`deals/${id}`)).stage.name
    const page = await openPage(`deals?pipeline=${pipeline.id}&sort=name`)
    const cardOf = ({ id }: Created) => page.locator(`[data-deal="${id}"]`)
    await cardOf(own).waitFor()
    await page.waitForLoadState('networkidle')
    async function dragToSecond(of: Created): Promise<void> {
      const card = (await cardOf(of).boundingBox())!
      const column = (await page.locator(`[data-stage="${pipeline.stages[1]?.id}"]`).boundingBox())!
      await page.mouse.move(card.x + card.width / 2, card.y + card.height - 6)
      await page.mouse.down()
      await page.mouse.move(column.x + column.width / 2, column.y + 120, { steps: 10 })
    }
    await dragToSecond(foreign)
    expect(await page.locator('[data-dnd-dragging]').count()).toBe(0)
    await page.mouse.up()
    await dragToSecond(own)
    await page.mouse.up()
    await expect.poll(() => stageOf(own)).toBe('Second')
    expect(await stageOf(foreign)).toBe('First')

    await cardOf(foreign).getByRole('link').focus()
    await expectReasonOfKeys(page, reason, ['m', 'w', 'o', 'Shift+ArrowRight'])
    await cardOf(foreign).getByRole('button', { name: 'Actions for A of Ana' }).click()
    await page.getByRole('menuitem', { name: 'Add a task' }).waitFor()
    expect(await page.getByRole('menu').locator('[role^=menuitem]').count()).toBe(3)
    await page.keyboard.press('Escape')
    expect(await stageOf(foreign)).toBe('First')
  })

  test('completes and postpones only the tasks that are theirs', async () => {
    const reason = 'Only Ana Lima and admins may change this task.'
    const task = (title: string, owner_email: string) =>
      create('tasks', {
        title,
        owner_email,
        notes: 'Bring the offer',
        due_date: new Date(Date.now() - DAY_MS).toISOString(),
      })
    const foreign = await task('Task of Ana', ANA)
    const own = await task('Task of Mara', MARA)
    const isDone = async ({ id }: Created) => (await read<{ completed: boolean }>(`tasks/${id}`)).completed
    const page = await openPage('?whose=everyone')
    const rowOf = ({ id }: Created) => page.locator(`[data-task="${id}"]`)
    const check = rowOf(foreign).getByRole('checkbox', { name: 'Complete Task of Ana', description: reason })
    await check.waitFor()
    expect(await rowOf(foreign).getByRole('button').allTextContents()).toEqual(['Task of Ana'])
    await expectReason(page, reason, () => check.click({ force: true }))
    expect(await check.isChecked()).toBe(false)
    await expectReasonOfKeys(page, reason, ['e', 'h', 'Space'])
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await rowOf(foreign).getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'Task of Ana' })
    await dialog.getByText('Bring the offer').waitFor()
    await dialog.getByText(reason).waitFor()
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Follow', 'Close'])
    await dialog.getByRole('button', { name: 'Close' }).click()

    await rowOf(own).getByRole('button', { name: 'Postpone Task of Mara' }).waitFor()
    await rowOf(own).getByRole('checkbox').click()
    await expect.poll(() => isDone(own)).toBe(true)
    expect(await isDone(foreign)).toBe(false)

    await page.goto(`${demo.current.base}/w/demo/tasks?due=any&owner=${ANA}&sort=created_at&order=desc`)
    const row = page.getByRole('row', { name: /Task of Ana/ })
    await row.getByRole('checkbox', { name: 'Complete Task of Ana', description: reason }).waitFor()
    expect(await row.locator('[data-edit]').count()).toBe(0)
    await row.getByRole('checkbox', { name: 'Select Task of Ana' }).check()
    await page.locator('[data-selection]').getByText(reason).waitFor()
    expect(await page.locator('[data-selection]').getByRole('button', { name: 'Delete…' }).count()).toBe(0)
  })

  test('is the only owner whom a new task offers', async () => {
    const page = await openPage('tasks')
    await page.getByRole('button', { name: 'New task' }).click()
    const owners = page.getByLabel('Owner', { exact: true }).locator('option')
    await owners.first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    expect(await owners.allTextContents()).toEqual(['Mara Prado'])
  })

  test('reads the products', async () => {
    const reason = 'Only owners and admins may change products.'
    await create('products', { name: 'Rooftop kit', price_cts: 100, currency: 'BRL' })
    const page = await openPage('products?search=Rooftop')
    await page.getByText(reason).waitFor()
    const row = page.getByRole('row', { name: /Rooftop kit/ })
    await row.waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New product' }).count()).toBe(0)
    await page.keyboard.press('j')
    await expectReasonOfKeys(page, reason, ['e', 'c'])
    await page.keyboard.press('x')
    await page.locator('[data-selection]').getByText(reason).waitFor()
    expect(await page.locator('[data-selection]').getByRole('button').allTextContents()).toEqual([
      'Clear Esc',
    ])
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New person' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'New product' }).count()).toBe(0)
  })

  test('a tab sends nothing for the user who has signed in after its own', async () => {
    const openTab = async () => {
      const page = await openAsMember(demo.current, MARA, 'people')
      await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
      const other = await page.context().newPage()
      await other.goto(`${demo.current.base}/account`)
      await other.getByRole('button', { name: 'Sign out', exact: true }).click()
      await other.waitForURL(/sign-in/)
      return { page, other }
    }
    const { page: left } = await openTab()
    // No page of this browser is ever hidden.
    await left.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await left.waitForURL(`${demo.current.base}/sign-in`)

    const { page, other } = await openTab()
    await other.goto(`${demo.current.base}/sign-in`)
    await other.getByRole('button', { name: 'Enter the demo as Ana Lima' }).click()
    await other.getByRole('button', { name: 'Ana Lima' }).first().waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Sent By Whom')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Ana Lima' }).first().waitFor()
    expect(await read('people?search=sent%20by%20whom')).toEqual([])
  })
})
