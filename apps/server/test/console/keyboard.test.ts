import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Deal {
  readonly id: string
  readonly name: string
  readonly stage: { readonly id: string; readonly name: string }
  readonly owner: { readonly name: string } | null
  readonly tags: readonly { readonly name: string }[]
}

interface Pipeline {
  readonly id: string
  readonly stages: readonly { readonly id: string; readonly name: string; readonly type: string }[]
}

const DEALS = 30

describe.skipIf(CHROMIUM === null)('the keys', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const dealOf = (id: string) => callApi<Deal>(demo.current, 'GET', `deals/${id}`)

  /** Opens the board of a new pipeline, whose deals are in its first stage, and focuses the first card. */
  async function openBoard(
    names: readonly string[],
  ): Promise<{ page: Page; pipeline: Pipeline; ids: string[] }> {
    const pipeline = await callApi<Pipeline>(demo.current, 'POST', 'pipelines', {
      name: `Keys ${names.length}`,
      stages: [
        { name: 'First', type: 'open', probability: 10 },
        { name: 'Second', type: 'open', probability: 50 },
        { name: 'Won', type: 'win' },
        { name: 'Lost', type: 'lost' },
      ],
    })
    const ids: string[] = []
    for (const name of names) {
      const deal = await callApi<Deal>(demo.current, 'POST', 'deals', {
        name,
        pipeline_id: pipeline.id,
        stage_id: pipeline.stages[0]?.id,
      })
      ids.push(deal.id)
    }
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/deals?pipeline=${pipeline.id}&sort=name`)
    await page.locator('[data-deal]').first().waitFor()
    await page.keyboard.press('j')
    return { page, pipeline, ids }
  }

  test('select cards, and change all of them at once', async () => {
    const { page, pipeline, ids } = await openBoard(['Deal A', 'Deal B', 'Deal C'])
    await page.keyboard.press('Shift+J')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('o')
    await page.getByRole('combobox', { name: 'Owner: 2 selected' }).fill('clara')
    await page.getByRole('option', { name: /Clara Weber/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 records were changed.').waitFor()
    for (const [index, owner] of ['Clara Weber', 'Clara Weber', undefined].entries())
      await expect.poll(async () => (await dealOf(ids[index]!)).owner?.name).toBe(owner)
    await page.getByText('2 selected').waitFor({ state: 'hidden' })

    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('m')
    await page.getByRole('combobox', { name: 'Move to: 2 selected' }).fill('second')
    await page.keyboard.press('Enter')
    await page.getByText('2 deals moved to Second.', { exact: true }).waitFor()
    await expect.poll(async () => (await dealOf(ids[1]!)).stage.name).toBe('Second')
    await page.keyboard.press('z')
    for (const id of ids) await expect.poll(async () => (await dealOf(id)).stage.name).toBe('First')
    expect(pipeline.stages[0]?.name).toBe('First')
  })

  describe('undo that a deal was won, whose move before it is not answered yet', () => {
    /** Opens a board, and holds its first change of a deal until it is answered. Lists the stages that are sent. */
    async function openUnansweredBoard(answerMove: (route: Route) => Promise<void>) {
      const { page, pipeline } = await openBoard(['Moved twice'])
      const held = Promise.withResolvers<void>()
      const sent: (string | undefined)[] = []
      await page.route('**/v1/deals/*', async (route) => {
        const { stage_id } = route.request().postDataJSON() as { readonly stage_id: string }
        sent.push(pipeline.stages.find(({ id }) => id === stage_id)?.name)
        if (sent.length > 1) return route.continue()
        await held.promise
        await answerMove(route)
      })
      return { page, sent, answer: held.resolve }
    }

    async function undoWin(page: Page): Promise<void> {
      await page.getByText('Moved to Won.', { exact: true }).waitFor()
      await page.keyboard.press('z')
      await page.getByText('Moved to Won.', { exact: true }).waitFor({ state: 'hidden' })
    }

    test('back to the stage of that move, even if it was not drawn', async () => {
      const { page, sent, answer } = await openUnansweredBoard((route) => route.continue())
      const press = (key: object) => `dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify(key)}));`
      const right = { key: 'ArrowRight', code: 'ArrowRight', shiftKey: true }
      await page.evaluate(press(right) + press({ key: 'w', code: 'KeyW' }))
      await undoWin(page)
      answer()
      await expect.poll(() => sent).toEqual(['Second', 'Won', 'Second'])
    })

    test('back to the stage before that move, if it is refused', async () => {
      const error = { code: 'validation_error', message: 'Refused.', request_id: 'r', fields: {} }
      const { page, sent, answer } = await openUnansweredBoard((route) =>
        route.fulfill({ status: 422, json: { error } }),
      )
      await page.keyboard.press('Shift+ArrowRight')
      await page.getByRole('region', { name: /^Second 1/ }).waitFor()
      await page.keyboard.press('w')
      await undoWin(page)
      answer()
      await expect.poll(() => sent).toEqual(['Second', 'Won', 'First'])
    })
  })

  test('what is refused for one of many is named, and stays selected', async () => {
    const { page, ids } = await openBoard(['Stays', 'Vanishes'])
    await page.keyboard.press('Shift+J')
    await callApi(demo.current, 'DELETE', `deals/${ids[1]}`)
    await page.keyboard.press('o')
    await page.getByRole('option', { name: /Clara Weber/ }).click()
    await page
      .getByText(/1 record was not changed \(“Vanishes”\)/)
      .first()
      .waitFor()
    await page.getByText('1 selected').waitFor()
    await expect.poll(async () => (await dealOf(ids[0]!)).owner?.name).toBe('Clara Weber')
  })

  test('reach and move the cards after the first of a stage', async () => {
    const names = Array.from({ length: DEALS }, (_, index) => `Deal ${String(index + 1).padStart(2, '0')}`)
    const { page, pipeline, ids } = await openBoard(names)
    const last = page.locator(`[data-deal="${ids.at(-1)}"]`)
    for (let step = 1; step < 25; step++) await page.keyboard.press('j')
    await last.waitFor()
    for (let step = 25; step < DEALS; step++) await page.keyboard.press('j')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Deal 30')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Moved to Second.', { exact: true }).waitFor()
    await page.locator(`[data-stage="${pipeline.stages[1]?.id}"]`).getByText('Deal 30').waitFor()
    await expect.poll(async () => (await dealOf(ids.at(-1)!)).stage.name).toBe('Second')
  })

  test('the palette acts on the card that has the focus, and opens a page in a new tab', async () => {
    const { page, ids } = await openBoard(['At hand'])
    await page.keyboard.press('Control+k')
    // Typed before the palette is there: lost, but no key acts.
    await page.keyboard.type('t')
    await page.getByRole('combobox', { name: 'Find or do' }).fill('> a tag')
    await page.getByRole('option', { name: /Add a tag/ }).waitFor()
    await page.keyboard.press('Enter')
    const tag = page.getByRole('option').first()
    const name = await tag.innerText()
    await tag.click()
    await expect.poll(async () => (await dealOf(ids[0]!)).tags.map((each) => each.name)).toEqual([name])

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('reports')
    await page.getByRole('option', { name: 'Reports', exact: true }).waitFor()
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.keyboard.press('Control+Enter'),
    ])
    expect(tab.url()).toBe(`${demo.current.base}/w/demo/reports`)
  })

  test('a completed task stays struck through on My day, and E opens the fields of a task', async () => {
    const due_date = new Date(Date.now() - 90 * 86_400_000).toISOString()
    const [first, second] = await Promise.all(
      ['Struck', 'Edited'].map((title) =>
        callApi<{ id: string }>(demo.current, 'POST', 'tasks', {
          title,
          due_date,
          notes: 'Bring <b>cake</b>',
          owner_email: 'ana@demo.example',
        }),
      ),
    )
    const page = await enterDemo(demo.current)
    await page.locator(`[data-task="${first?.id}"]`).getByRole('checkbox').click()
    await expect
      .poll(() => callApi(demo.current, 'GET', `tasks/${first?.id}`))
      .toMatchObject({ completed: true })
    await page.locator(`[data-task="${second?.id}"]`).getByRole('checkbox').focus()
    await page.keyboard.press('e')
    expect(await page.getByLabel('Notes').inputValue()).toBe('Bring <b>cake</b>')
    await page.getByRole('textbox', { name: 'Title' }).fill('Edited by hand')
    await page.keyboard.press('Control+Enter')
    await page.locator(`[data-task="${second?.id}"]`).getByText('Edited by hand').waitFor()
    await expect
      .poll(() => callApi(demo.current, 'GET', `tasks/${second?.id}`))
      .toMatchObject({
        title: 'Edited by hand',
        due_date,
        notes: 'Bring <b>cake</b>',
      })
    expect(await page.locator(`[data-task="${first?.id}"]`).getByRole('checkbox').isChecked()).toBe(true)
  })

  test('products are changed in their cells, together, and deleted', async () => {
    const product = await callApi<{ id: string }>(demo.current, 'POST', 'products', {
      name: 'Keyboard',
      price_cts: 1000,
      currency: 'BRL',
    })
    const productNow = () => callApi(demo.current, 'GET', `products/${product.id}`)
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/products?search=keyboard`)
    await page.getByRole('button', { name: 'R$ 10' }).click()
    await page.getByRole('textbox', { name: 'Price' }).fill('12,50')
    await page.keyboard.press('Enter')
    await expect.poll(productNow).toMatchObject({ price_cts: 1250 })
    await page.getByRole('checkbox', { name: 'Select Keyboard' }).click()
    await page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Not sold' }).click()
    await expect.poll(productNow).toMatchObject({ is_active: false })
    await page.getByRole('checkbox', { name: 'Select Keyboard' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('“Keyboard” was deleted.').waitFor()
    // The message shows at once, before the service has deleted it.
    await expect.poll(() => productNow().catch(String)).toMatch(/404/)
  })

  test('F reaches the filters, and Shift F clears them', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people?owner=me`)
    await page.locator('[data-row="0"]').waitFor()
    await page.keyboard.press('f')
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Owner/)
    await page.keyboard.press('Shift+F')
    await page.waitForURL(`${demo.current.base}/w/demo/people`)
  })
})
