import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { testDatabaseUrl } from '../support/stores.ts'
import { CHROMIUM, callApi, type DemoProcess, enterDemo, useDemo } from './demo-console.ts'

const postgresUrl = inject('postgresUrl')
const DATABASES: Readonly<Record<string, (folder: string) => string | Promise<string>>> = {
  sqlite: (folder) => `sqlite:${join(folder, 'crm.db')}`,
  ...(postgresUrl !== null && { postgres: () => testDatabaseUrl(postgresUrl) }),
}

interface Deal {
  readonly id: string
  readonly name: string
  readonly stage: { readonly id: string; readonly type: string }
}

/** The text of the element that has the focus. */
const focusedText = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent')

describe.skipIf(CHROMIUM === null).each(Object.entries(DATABASES))(
  'a day of selling on %s',
  (database, databaseUrl) => {
    const demo = useDemo(databaseUrl)

    test('is done by the keyboard alone: find a person, log a call, plan a task, move a deal, win it', async () => {
      const person = await callApi<{ id: string }>(demo.current, 'POST', 'people', {
        full_name: 'Zoé Ångström',
      })
      const pipeline = await firstPipeline(demo.current)
      const deal = await callApi<Deal>(demo.current, 'POST', 'deals', {
        name: 'Lighthouse plan',
        amount: 1_250_000,
        person_id: person.id,
        stage_id: pipeline.stages[0]?.id,
      })
      const page = await enterDemo(demo.current)
      const { keyboard } = page
      await page.getByRole('heading', { name: 'My day' }).waitFor()

      await keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await keyboard.type('angstrom')
      await page.getByRole('option', { name: /Zoé Ångström/ }).waitFor()
      await keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Zoé Ångström' }).waitFor()

      await keyboard.press('n')
      await keyboard.type('Called: she wants ')
      await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
      await keyboard.press('Control+b')
      await keyboard.type('ten more')
      await keyboard.press('Control+b')
      await keyboard.type(' seats.')
      await keyboard.press('Control+Enter')
      await page.locator('ol strong', { hasText: 'ten more' }).waitFor()

      await page.locator('body').click({ position: { x: 700, y: 5 } })
      await keyboard.press('t')
      await page.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).waitFor()
      await keyboard.type('Send the offer')
      await keyboard.press('Control+Enter')
      await page.getByRole('article').getByText('Send the offer').waitFor()

      await keyboard.press('g')
      await keyboard.press('d')
      await page.getByRole('heading', { level: 3, name: 'Lighthouse plan' }).waitFor()
      await keyboard.press('j')
      expect(await focusedText(page)).toBe('Lighthouse plan')
      await keyboard.press('Shift+ArrowRight')
      await page.getByText(`Moved to ${pipeline.stages[1]?.name}.`, { exact: true }).waitFor()
      await expect.poll(() => focusedText(page)).toBe('Lighthouse plan')
      await expect
        .poll(async () => (await dealOf(demo.current, deal.id)).stage.id)
        .toBe(pipeline.stages[1]?.id)
      await keyboard.press('w')
      await page.getByText('Moved to Won.', { exact: true }).waitFor()
      await expect.poll(async () => (await dealOf(demo.current, deal.id)).stage.type).toBe('win')

      await keyboard.press('z')
      await expect
        .poll(async () => (await dealOf(demo.current, deal.id)).stage.id)
        .toBe(pipeline.stages[1]?.id)
    })

    // The pages know no database: one day on each is sufficient.
    if (database !== 'sqlite') return

    test('a deal is dragged to another stage, and Esc puts it back', async () => {
      const pipeline = await firstPipeline(demo.current)
      const deal = await callApi<Deal>(demo.current, 'POST', 'deals', {
        name: 'Dragged',
        stage_id: pipeline.stages[0]?.id,
      })
      const page = await enterDemo(demo.current)
      await page.goto(`${demo.current.base}/w/demo/deals`)
      const card = page.locator(`[data-deal="${deal.id}"]`)
      await card.waitFor()
      await page.waitForLoadState('networkidle')
      await dragToStage(page, deal.id, pipeline.stages[2]?.id)
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await page.waitForTimeout(100)
      expect((await dealOf(demo.current, deal.id)).stage.id).toBe(pipeline.stages[0]?.id)

      await dragToStage(page, deal.id, pipeline.stages[2]?.id)
      await page.mouse.up()
      await expect
        .poll(async () => (await dealOf(demo.current, deal.id)).stage.id)
        .toBe(pipeline.stages[2]?.id)
      expect(page.url()).toBe(`${demo.current.base}/w/demo/deals`)
    })

    test('a lost deal shows why it was lost, until that is undone', async () => {
      const deal = await callApi<Deal>(demo.current, 'POST', 'deals', { name: 'Too dear' })
      const page = await enterDemo(demo.current)
      await page.goto(`${demo.current.base}/w/demo/deals/${deal.id}`)
      await page.getByRole('heading', { level: 1, name: 'Too dear' }).waitFor()
      await page.keyboard.press('Shift+W')
      await page.getByRole('dialog').getByLabel('Note').fill('The price <b>scared</b> them.')
      await page.getByRole('button', { name: 'Mark as lost' }).click()
      await page.getByText('The price <b>scared</b> them.').waitFor()
      await expect.poll(async () => (await dealOf(demo.current, deal.id)).stage.type).toBe('lost')
      await page.keyboard.press('z')
      await expect.poll(async () => (await dealOf(demo.current, deal.id)).stage.type).toBe('open')
    })

    test('a card that is dropped on Lost is lost, also where a stage lies below it', async () => {
      const pipeline = await callApi<{ id: string; stages: { id: string; type: string }[] }>(
        demo.current,
        'POST',
        'pipelines',
        {
          name: 'Wide',
          stages: [
            ...[1, 2, 3, 4, 5, 6].map((at) => ({ name: `Stage ${at}`, type: 'open', probability: at })),
            { name: 'Won', type: 'win' },
            { name: 'Lost', type: 'lost' },
          ],
        },
      )
      const deal = await callApi<Deal>(demo.current, 'POST', 'deals', {
        name: 'Quickly lost',
        pipeline_id: pipeline.id,
      })
      const page = await enterDemo(demo.current)
      await page.goto(`${demo.current.base}/w/demo/deals?pipeline=${pipeline.id}`)
      await page.locator(`[data-deal="${deal.id}"]`).waitFor()
      await page.waitForLoadState('networkidle')
      const lost = pipeline.stages.find(({ type }) => type === 'lost')
      await dragToStage(page, deal.id, lost?.id, 2)
      await page.mouse.up()
      await page.getByRole('dialog', { name: 'Why was “Quickly lost” lost?' }).waitFor()
    })

    test('the menu of the account ends the session', async () => {
      const page = await enterDemo(demo.current)
      await page.getByRole('button', { name: 'Ana Lima' }).first().click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(`${demo.current.base}/sign-in`)
      await page.goto(`${demo.current.base}/account`)
      await page.waitForURL(`${demo.current.base}/sign-in?page=/account`)
    })

    test('a deal is created with a new company, and its fields are edited where they stand', async () => {
      const page = await enterDemo(demo.current)
      await page.goto(`${demo.current.base}/w/demo/deals`)
      await page.getByRole('button', { name: 'New deal' }).first().click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Rooftop solar')
      await page.getByLabel('Company', { exact: true }).fill('Helios Bau GmbH')
      await page.getByRole('option', { name: 'New company “Helios Bau GmbH”' }).click()
      await page.getByLabel('Amount').fill('1.350,50')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('“Rooftop solar” was created.').waitFor()
      await page.getByRole('link', { name: 'Rooftop solar' }).click()
      await page.getByRole('heading', { level: 1, name: 'Rooftop solar' }).waitFor()

      await page.getByRole('button', { name: 'R$ 1.350,50' }).click()
      await page.getByLabel('Amount').fill('2000')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'R$ 2.000' }).waitFor()
      await page.getByText('Amount was changed.').waitFor()
      const id = page.url().split('/').at(-1) ?? ''
      await expect
        .poll(() => callApi(demo.current, 'GET', `deals/${id}`))
        .toMatchObject({ amount: 200_000, company: { full_name: 'Helios Bau GmbH' } })
    })

    test('a cell of a table is edited by the keyboard, and many rows are changed at once', async () => {
      const names = ['Bulk one', 'Bulk two']
      const people = await Promise.all(
        names.map((full_name) => callApi<{ id: string }>(demo.current, 'POST', 'people', { full_name })),
      )
      const page = await enterDemo(demo.current)
      await page.goto(`${demo.current.base}/w/demo/people?search=bulk`)
      await page.getByRole('link', { name: 'Bulk one' }).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('e')
      await page.getByRole('textbox', { name: 'Position' }).fill('Buyer')
      await page.keyboard.press('Enter')
      await page.getByText('Position was changed.').waitFor()
      await expect
        .poll(() => callApi(demo.current, 'GET', `people/${people[0]?.id}`))
        .toMatchObject({ position: 'Buyer' })

      await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click()
      await page.getByRole('button', { name: 'Owner' }).last().click()
      await page.getByRole('option', { name: 'Clara Weber' }).click()
      await page.getByText('2 records were changed.').waitFor()
      for (const { id } of people)
        await expect
          .poll(() => callApi(demo.current, 'GET', `people/${id}`))
          .toMatchObject({
            owner: { name: 'Clara Weber' },
          })
    })

    test('a note keeps its files, and one that is too large is refused at once', async () => {
      const person = await callApi<{ id: string }>(demo.current, 'POST', 'people', { full_name: 'Attached' })
      const page = await enterDemo(demo.current)
      await page.goto(`${demo.current.base}/w/demo/people/${person.id}`)
      const files = page.locator('input[type=file]')
      await files.setInputFiles({
        name: 'huge.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.alloc(2_097_153),
      })
      await page.getByText('“huge.bin” is larger than 2 MB.').first().waitFor()
      await files.setInputFiles({
        name: 'offer.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('An offer'),
      })
      await page.getByRole('textbox', { name: 'Note' }).fill('The offer is attached.')
      await page.getByRole('button', { name: 'Save note' }).click()
      await page.getByRole('link', { name: /^offer\.txt 8 bytes$/ }).waitFor()
    })

    test('tasks are completed and postponed on My day', async () => {
      const task = await callApi<{ id: string }>(demo.current, 'POST', 'tasks', {
        title: 'Water the plants',
        due_date: new Date(Date.now() - 3 * 86_400_000).toISOString(),
        owner_email: 'ana@demo.example',
      })
      const page = await enterDemo(demo.current)
      const row = page.locator(`[data-task="${task.id}"]`)
      await row.getByText('3 days ago').waitFor()
      await row.getByRole('button', { name: 'Postpone Water the plants' }).click()
      await page.getByRole('menuitem', { name: 'Next Monday' }).click()
      await page.getByText(/“Water the plants”: /).waitFor()
      await page.keyboard.press('z')
      await row.getByText('3 days ago').waitFor()
      await row.getByRole('checkbox', { name: 'Complete Water the plants' }).click()
      await expect
        .poll(() => callApi(demo.current, 'GET', `tasks/${task.id}`))
        .toMatchObject({ completed: true })
    })
  },
)

async function firstPipeline(demo: DemoProcess) {
  const [pipeline] = await callApi<
    readonly { id: string; name: string; stages: readonly { id: string; name: string }[] }[]
  >(demo, 'GET', 'pipelines?order_by=created_at&order=asc')
  return pipeline!
}

function dealOf(demo: DemoProcess, id: string): Promise<Deal> {
  return callApi<Deal>(demo, 'GET', `deals/${id}`)
}

/** Lifts a card and holds it over a stage. */
async function dragToStage(
  page: Page,
  dealId: string,
  stageId: string | undefined,
  steps = 10,
): Promise<void> {
  const from = (await page.locator(`[data-deal="${dealId}"]`).boundingBox())!
  const to = (await page.locator(`[data-stage="${stageId}"]`).boundingBox())!
  await page.mouse.move(from.x + 60, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 80, from.y + 40, { steps: 4 })
  await page.mouse.move(to.x + to.width / 2, to.y + 200, { steps })
}
