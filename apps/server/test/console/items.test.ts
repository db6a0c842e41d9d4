import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, interceptCalls, useDemo } from './demo-console.ts'
import { addMember, openAsMember } from './sign-in-member.ts'

interface Deal {
  readonly id: string
  readonly amount: number
  readonly amount_source: string
}

interface Item {
  readonly id: string
  readonly name: string
  readonly quantity: number
  readonly unit_price_cts: number
  readonly discount: object | null
  readonly tax_rate: number | null
  readonly billing_cycle: string
  readonly total_cts: number
}

const PRODUCTS = [
  ['Alpha licence', 10_000, 'one_time'],
  ['Beta support', 2_000, 'monthly'],
  ['Gamma hosting', 50_000, 'annually'],
] as const

describe.skipIf(CHROMIUM === null)('the line items of a deal in the console', () => {
  let databaseUrl = ''
  const demo = useDemo((folder) => {
    databaseUrl = `sqlite:${folder}/crm.db`
    return databaseUrl
  })
  const dealOf = (id: string) => callApi<Deal>(demo.current, 'GET', `deals/${id}`)
  const itemsOf = (id: string) => callApi<readonly Item[]>(demo.current, 'GET', `deals/${id}/items`)
  const namesOf = async (id: string) => (await itemsOf(id)).map(({ name }) => name)
  const postItem = (id: string, item: object) =>
    callApi<Item>(demo.current, 'POST', `deals/${id}/items`, item)

  async function postDeal(fields: object = {}): Promise<string> {
    return (await callApi<Deal>(demo.current, 'POST', 'deals', { name: 'Lines', currency: 'BRL', ...fields }))
      .id
  }
  async function openDeal(page: Page, id: string): Promise<void> {
    await page.goto(`${demo.current.base}/w/demo/deals/${id}`)
    await page.getByRole('heading', { name: /^(Items|Itens)/ }).waitFor()
  }
  const cell = (page: Page, row: number, column: number) =>
    page.locator(`tr[data-item] >> nth=${row}`).locator('td').nth(column)

  test('ten products are added by keys alone, without waiting, and make the amount', async () => {
    for (const [name, price_cts, billing_cycle] of PRODUCTS)
      await callApi(demo.current, 'POST', 'products', { name, price_cts, billing_cycle, currency: 'BRL' })
    const id = await postDeal()
    const page = await enterDemo(demo.current)
    await openDeal(page, id)
    await page.getByText('Add a product, or type what it is').waitFor()
    expect(await violations(page)).toEqual([])
    await page.locator('[data-at]').focus()
    for (let round = 0; round < 3; round += 1)
      for (const typed of ['alpha', '2 beta', '1,5 gam']) await page.keyboard.type(`${typed}\n`)
    await page.keyboard.type('4x alpha lic\n')
    await expect.poll(async () => (await itemsOf(id)).length).toBe(10)
    expect((await itemsOf(id)).slice(0, 3)).toMatchObject([
      { name: 'Alpha licence', quantity: 1, total_cts: 10_000, billing_cycle: 'one_time' },
      { name: 'Beta support', quantity: 2, total_cts: 4_000, billing_cycle: 'monthly' },
      { name: 'Gamma hosting', quantity: 1.5, total_cts: 75_000, billing_cycle: 'annually' },
    ])
    // 3 × (100 + 12 × 40 + 750) + 400
    await expect.poll(() => dealOf(id)).toMatchObject({ amount: 439_000, amount_source: 'items' })
    await page.locator('dl').getByText('R$ 4.390', { exact: true }).first().waitFor()
    await page.keyboard.type('gamma')
    await page.getByRole('option', { name: /Gamma hosting/ }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('option', { name: /Gamma hosting/ }).click()
    await expect.poll(async () => (await itemsOf(id)).length).toBe(11)
  })

  test('cells are typed into, and what is no value stays with its reason', async () => {
    const id = await postDeal()
    await postItem(id, { name: 'Chairs', unit_price_cts: 10_000 })
    const page = await enterDemo(demo.current)
    await openDeal(page, id)
    await cell(page, 0, 0).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('2,5')
    await page.keyboard.press('Tab')
    await page.keyboard.type('1.500,50')
    await page.keyboard.press('Tab')
    await page.keyboard.type('101%')
    await page.keyboard.press('Tab')
    await page.getByText('Discount: Write a percentage from 0 to 100, with up to 2 decimal places.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Control+a')
    await page.keyboard.type('10%')
    await page.keyboard.press('Tab')
    await page.keyboard.type('19')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    // From the last cell into a new line.
    await page.getByRole('combobox', { name: 'Product or free text, after its quantity' }).waitFor()
    await expect
      .poll(() => itemsOf(id))
      .toMatchObject([
        {
          ...{ quantity: 2.5, unit_price_cts: 150_050, discount: { percent: 10 }, tax_rate: 19 },
          ...{ billing_cycle: 'monthly', total_cts: 337_613 },
        },
      ])
    await page.keyboard.type('3 hours of training')
    await page.getByRole('option', { name: /Free text/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Unit price of hours of training' }).waitFor()
    await page.keyboard.type('80')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await itemsOf(id))[1])
      .toMatchObject({ name: 'hours of training', quantity: 3, total_cts: 24_000 })
    // More than the line: refused here, and again by what the service says.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('500\n')
    await page.getByText('Discount: More than quantity × price.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Discount: More than quantity × price.').waitFor({ state: 'hidden' })
    await interceptCalls(page, '**/items/*', (route) =>
      route.fulfill({
        status: 422,
        json: {
          error: {
            ...{ code: 'validation_failed', message: 'Invalid.', request_id: 'r' },
            fields: { discount: 'The service says no.' },
          },
        },
      }),
    )
    await page.keyboard.type('50\n')
    await page.getByText('Discount: The service says no.').waitFor()
    expect(await cell(page, 1, 3).innerText()).toBe('50')
    expect(await cell(page, 1, 3).getAttribute('aria-invalid')).toBe('true')
    await page.unroute('**/items/*')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await itemsOf(id))[1]?.discount).toEqual({ amount_cts: 5_000 })
    await page.getByText('Discount: The service says no.').waitFor({ state: 'hidden' })
  })

  test('a line that the service refuses is in the field again, with the reason', async () => {
    const id = await postDeal()
    const page = await enterDemo(demo.current)
    await openDeal(page, id)
    const name = `7 ${'x'.repeat(130)}`
    await page.locator('[data-at]').focus()
    await page.keyboard.type('7 ')
    await page.keyboard.insertText('x'.repeat(130))
    await page.keyboard.press('Enter')
    const reason = page.getByText('Must be between 1 and 120 characters.')
    await reason.waitFor()
    const field = page.getByRole('combobox', { name: 'Product or free text, after its quantity' })
    expect(await field.inputValue()).toBe(name)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await reason.waitFor({ state: 'hidden' })
    expect(await itemsOf(id)).toEqual([])
    expect(await dealOf(id)).toMatchObject({ amount: 0, amount_source: 'typed' })
  })

  test('lines are moved, copied, added below and removed by keys, and undone', async () => {
    const id = await postDeal()
    for (const name of ['One', 'Two', 'Three']) await postItem(id, { name, unit_price_cts: 100 })
    const page = await enterDemo(demo.current)
    await openDeal(page, id)
    await cell(page, 0, 0).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => namesOf(id)).toEqual(['Two', 'Three', 'One'])
    await page.keyboard.press('Control+d')
    await expect.poll(() => namesOf(id)).toEqual(['Two', 'Three', 'One', 'One'])
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Delete')
    await expect.poll(() => namesOf(id)).toEqual(['Three', 'One', 'One'])
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Three')
    await page.keyboard.press('Control+z')
    await expect.poll(() => namesOf(id)).toEqual(['Two', 'Three', 'One', 'One'])
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.type('Two and a half')
    await page.getByRole('option', { name: /Free text/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Unit price of Two and a half' }).waitFor()
    await expect.poll(() => namesOf(id)).toEqual(['Two', 'Two and a half', 'Three', 'One', 'One'])
    // Esc puts back, then leaves.
    await page.keyboard.type('9')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TD')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.id')).toBe('items')
    expect(page.url()).toContain(id)
  })

  test('copied rows become lines, all or none', async () => {
    const id = await postDeal()
    await postItem(id, { name: 'First', unit_price_cts: 100 })
    const page = await enterDemo(demo.current)
    await openDeal(page, id)
    const paste = (text: string) =>
      page.evaluate(
        `(() => {
          const clipboardData = new DataTransfer()
          clipboardData.setData('text/plain', ${JSON.stringify(text)})
          document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
        })()`,
      )
    await cell(page, 0, 0).focus()
    await paste('Desks\t2\t100,00\nLamps\tmany\t5,00')
    await page.getByText('Row 2, Quantity: Write a number from').waitFor()
    expect(await namesOf(id)).toEqual(['First'])
    await paste('Product\tQuantity\tPrice\r\nDesks\t2\t1.100,50\t10%\t19\tMonthly\r\nLamps\t\t5\r\n')
    await expect
      .poll(() => itemsOf(id))
      .toMatchObject([
        { name: 'First' },
        {
          name: 'Desks',
          quantity: 2,
          discount: { percent: 10 },
          tax_rate: 19,
          billing_cycle: 'monthly',
          total_cts: 198_090,
        },
        { name: 'Lamps', quantity: 1, total_cts: 500 },
      ])
    await page.keyboard.press('Control+z')
    await expect.poll(() => namesOf(id)).toEqual(['First'])
  })

  test('an amount that was typed stays until the sum is chosen', async () => {
    const id = await postDeal({ amount: 5_000 })
    const page = await enterDemo(demo.current)
    await openDeal(page, id)
    await page.locator('[data-at]').focus()
    await page.keyboard.type('2 tables')
    await page.getByRole('option', { name: /Free text/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Unit price of tables' }).waitFor()
    await page.keyboard.type('100\n')
    const word = page.getByRole('button', { name: 'Amount: typed; items make R$ 200' })
    await word.click()
    await page.getByRole('menuitemradio', { name: 'Sum' }).click()
    await expect.poll(() => dealOf(id)).toMatchObject({ amount: 20_000, amount_source: 'items' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await word.waitFor()
    await expect.poll(() => dealOf(id)).toMatchObject({ amount: 5_000, amount_source: 'typed' })
    await word.click()
    await page.getByRole('menuitemradio', { name: 'Sum' }).click()
    await page.getByRole('button', { name: 'Amount: Sum of items, first year' }).click()
    await page.getByRole('menuitemradio', { name: 'Type it' }).click()
    await page.locator('dl').getByRole('textbox', { name: 'Amount' }).fill('150')
    await page.keyboard.press('Enter')
    await expect.poll(() => dealOf(id)).toMatchObject({ amount: 15_000, amount_source: 'typed' })
  })

  test('who may not change the deal reads its items, and nothing is typed', async () => {
    const id = await postDeal({ owner_email: 'ana@demo.example' })
    await postItem(id, { name: 'Chairs', unit_price_cts: 10_000 })
    await addMember(databaseUrl, 'Mara', 'mara@demo.example')
    const page = await openAsMember(demo.current, 'mara@demo.example', `deals/${id}`)
    const grid = page.getByRole('grid', { name: 'Items' })
    await grid.getByText('Chairs').waitFor()
    expect(await grid.getAttribute('aria-readonly')).toBe('true')
    expect(await violations(page)).toEqual([])
    await cell(page, 0, 1).focus()
    for (const key of ['5', 'Enter', 'Delete', 'Control+d', 'Alt+ArrowDown', 'Control+Enter'])
      await page.keyboard.press(key)
    expect(await grid.locator('input, button').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Amount:/ }).count()).toBe(0)
    expect(await itemsOf(id)).toMatchObject([{ name: 'Chairs', quantity: 1 }])
  })

  test('a deal with 500 items says that no more fit', async () => {
    const id = await postDeal()
    const items = Array.from({ length: 500 }, (_, index) => ({ name: `Item ${index}`, unit_price_cts: 100 }))
    await callApi(demo.current, 'PUT', `deals/${id}/items`, { items })
    const page = await enterDemo(demo.current)
    await openDeal(page, id)
    const full = page.getByText('The deal has 500 items, which is as many as it can have.')
    await full.waitFor()
    await cell(page, 0, 0).focus()
    await page.keyboard.press('Control+d')
    await page.getByLabel('Messages').getByText('The deal has 500 items').waitFor()
    await page.keyboard.press('Delete')
    await page.getByText('Add a product, or type what it is').waitFor()
    await expect.poll(async () => (await itemsOf(id)).length).toBe(499)
  })

  test('on a phone an item opens as a sheet of its fields, in Portuguese', async () => {
    const id = await postDeal()
    await postItem(id, { name: 'Cadeiras', unit_price_cts: 10_000, quantity: 2.5 })
    const page = await enterDemo(demo.current, {
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      ...{ colorScheme: 'dark', locale: 'pt-BR' },
    })
    await openDeal(page, id)
    await page.getByText('2,5 × 100,00').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: /^Cadeiras/ }).click()
    const sheet = page.getByRole('dialog', { name: 'Cadeiras' })
    await sheet.getByLabel('Desconto').fill('300')
    await sheet.getByRole('button', { name: 'Salvar' }).click()
    await sheet.getByText('Mais do que quantidade × preço.').waitFor()
    expect(await violations(page, true)).toEqual([])
    await sheet.getByLabel('Desconto').fill('7,5%')
    await sheet.getByRole('button', { name: 'Salvar' }).click()
    await expect.poll(() => itemsOf(id)).toMatchObject([{ discount: { percent: 7.5 }, total_cts: 23_125 }])
    await page.getByRole('button', { name: 'Adicionar item' }).click()
    await page.getByRole('combobox').fill('3 mesas')
    await page.getByRole('option', { name: /Texto livre/ }).click()
    await page.getByRole('dialog', { name: 'mesas' }).getByLabel('Preço unit.').fill('1.200,90')
    await page.getByRole('dialog', { name: 'mesas' }).getByRole('button', { name: 'Salvar' }).click()
    await expect.poll(async () => (await itemsOf(id))[1]).toMatchObject({ quantity: 3, total_cts: 360_270 })
  })
})
