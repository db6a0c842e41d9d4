import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, interceptCalls, useDemo } from './demo-console.ts'
import { getDeal, openBoard } from './open-board.ts'

const DEALS = 30

describe.skipIf(CHROMIUM === null)('the keys', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const dealOf = (id: string) => getDeal(demo.current, id)

  test('select cards, and change all of them at once', async () => {
    const { page, pipeline, ids } = await openBoard(demo.current, ['Deal A', 'Deal B', 'Deal C'])
    await page.keyboard.press('Shift+J')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('o')
    await page.getByRole('combobox', { name: 'Owner: 2 selected' }).fill('clara')
    await page.getByRole('option', { name: /Clara Weber/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 records were changed.').waitFor()
    for (const [index, owner] of ['Clara Weber', 'Clara Weber', undefined].entries())
      await expect.poll(async () => (await dealOf(ids[index]!)).owner?.name).toBe(owner)

    await page.keyboard.press('m')
    await page.getByRole('combobox', { name: 'Move to: 2 selected' }).fill('second')
    await page.keyboard.press('Enter')
    await page.getByText('2 deals moved to Second.', { exact: true }).waitFor()
    await expect.poll(async () => (await dealOf(ids[1]!)).stage.name).toBe('Second')
    await page.keyboard.press('z')
    for (const id of ids) await expect.poll(async () => (await dealOf(id)).stage.name).toBe('First')
    expect(pipeline.stages[0]?.name).toBe('First')
    await page.getByText('2 selected').waitFor()
  })

  test('what is refused for one of many is named, and all stay selected', async () => {
    const { page, ids } = await openBoard(demo.current, ['Stays', 'Vanishes'])
    await page.keyboard.press('Shift+J')
    await callApi(demo.current, 'DELETE', `deals/${ids[1]}`)
    await page.keyboard.press('o')
    await page.getByRole('option', { name: /Clara Weber/ }).click()
    await page
      .getByText(/1 record was not changed \(“Vanishes”\)/)
      .first()
      .waitFor()
    await page.getByText('2 selected').waitFor()
    await expect.poll(async () => (await dealOf(ids[0]!)).owner?.name).toBe('Clara Weber')
  })

  test('reach and move the cards after the first of a stage', async () => {
    const names = Array.from({ length: DEALS }, (_, index) => `Deal ${String(index + 1).padStart(2, '0')}`)
    const { page, pipeline, ids } = await openBoard(demo.current, names)
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

  test('an Enter before the answer of a search opens and links what the whole text finds', async () => {
    const { page, ids } = await openBoard(demo.current, ['Harbour crane'])
    for (const full_name of ['Harriet Vole', 'Harbinger Ltd'])
      await callApi(demo.current, 'POST', 'people', { full_name })
    await interceptCalls(page, '**/v1/search?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Find or do' })
    await field.fill('har')
    await page.getByRole('option', { name: /Harriet Vole/ }).waitFor()
    await field.fill('harbour')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Harbour crane' }).waitFor()
    expect(page.url()).toContain(ids[0])

    await page.goBack()
    await page.getByRole('button', { name: 'New deal' }).first().click()
    const person = page.getByRole('dialog').getByLabel('Person', { exact: true })
    await person.fill('har')
    await page.getByRole('option', { name: /Harbinger/ }).waitFor()
    await person.fill('harriet')
    await page.keyboard.press('Enter')
    await expect.poll(() => person.inputValue()).toBe('Harriet Vole')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('the palette acts on the card that has the focus, and opens a page in a new tab', async () => {
    const { page, ids } = await openBoard(demo.current, ['At hand'])
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
    await page.getByRole('combobox', { name: 'Find or do' }).fill('reports')
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

  test('H opens the days for a task with the first one highlighted, and Enter chooses it', async () => {
    const task = await callApi<{ id: string; due_date: string }>(demo.current, 'POST', 'tasks', {
      title: 'Postponed by keys',
      due_date: new Date(Date.now() - 86_400_000).toISOString(),
      owner_email: 'ana@demo.example',
    })
    const page = await enterDemo(demo.current)
    await page.locator(`[data-task="${task.id}"] input`).focus()
    await page.keyboard.press('h')
    await page.locator('[role=menuitem][data-highlighted]', { hasText: 'Tomorrow' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/“Postponed by keys”: /).waitFor()
    await expect
      .poll(async () => (await callApi<typeof task>(demo.current, 'GET', `tasks/${task.id}`)).due_date)
      .not.toBe(task.due_date)
  })

  test('a menu of several choices stays open, and says what is chosen', async () => {
    await callApi(demo.current, 'POST', 'custom-fields', {
      label: 'Energies',
      key: 'energies',
      type: 'multi_select',
      show_people: true,
      value: {
        select_list: [
          { key: 'solar', option: 'Solar' },
          { key: 'wind', option: 'Wind' },
        ],
      },
    })
    const person = await callApi<{ id: string }>(demo.current, 'POST', 'people', { full_name: 'Chooser' })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people/${person.id}`)
    await page.getByRole('button', { name: 'Add Energies' }).click()
    const option = (name: string, checked: boolean) =>
      page.getByRole('menuitemcheckbox', { name, checked }).waitFor()
    await option('Solar', false)
    await page.getByRole('menuitemcheckbox', { name: 'Solar' }).click()
    await option('Solar', true)
    await page.getByRole('menuitemcheckbox', { name: 'Wind' }).click()
    await option('Wind', true)
    await expect
      .poll(() => callApi(demo.current, 'GET', `people/${person.id}`))
      .toMatchObject({ custom_fields: [{ value: ['solar', 'wind'] }] })
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
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('“Keyboard” was deleted.').waitFor()
    // The message shows at once, before the service has deleted it.
    await expect.poll(() => productNow().catch(String)).toMatch(/404/)
  })

  test('rows are selected by ranges, and the box of all says how many are', async () => {
    for (const number of [1, 2, 3, 4, 5])
      await callApi(demo.current, 'POST', 'people', { full_name: `Ranger ${number}` })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people?search=ranger`)
    const box = (number: number) => page.getByRole('checkbox', { name: `Select Ranger ${number}` })
    const all = page.getByRole('checkbox', { name: 'Select all that are loaded' })
    const stateOfAll = () =>
      all.evaluate((input: { checked: boolean; indeterminate: boolean }) => [
        input.checked,
        input.indeterminate,
      ])
    await box(2).click()
    await box(4).click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    expect([await box(3).isChecked(), await box(5).isChecked()]).toEqual([true, false])
    expect(await stateOfAll()).toEqual([false, true])
    await all.click()
    await page.getByText('5 selected').waitFor()
    expect(await stateOfAll()).toEqual([true, false])
    await all.click()
    await page.getByText('5 selected').waitFor({ state: 'hidden' })
    expect(await stateOfAll()).toEqual([false, false])
  })

  test('F reaches the filters, and Shift F clears them', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people?owner=me`)
    await page.locator('[data-row="0"]').waitFor()
    await page.keyboard.press('f')
    const focused = 'document.activeElement.getAttribute("aria-label")'
    expect(await page.evaluate(focused)).toBe('Field, or field and value')
    await page.keyboard.type('sco gr 50')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Change the filter: Score is greater than 50' }).waitFor()
    await page.keyboard.press('Shift+F')
    await page.waitForURL(`${demo.current.base}/w/demo/people`)
  })

  test('/ reaches the search, and a search of tasks finds words of their notes', async () => {
    await callApi(demo.current, 'POST', 'tasks', { title: 'Call', notes: 'Bring the zither', type: 'call' })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/tasks?due=any`)
    await page.locator('[data-row="1"]').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('zith')
    await page.locator('[data-row="1"]').waitFor({ state: 'detached' })
    expect(await page.locator('[data-row="0"]').innerText()).toContain('Call')
    expect(page.url()).toContain('search=zith')
  })
})
