import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface BulkChange {
  readonly change: { readonly add_tags: readonly string[] }
}

interface PersonRow {
  readonly position: string | null
  readonly custom_fields: readonly { readonly key: string; readonly value: string }[]
}

const birthday = (value: string) => ({ custom_fields: [{ key: 'birthday', value }] })

describe.skipIf(CHROMIUM === null)('all records that match', () => {
  const demo = useDemo((folder) => `sqlite:${folder}/crm.db`)

  test('are selected beyond the loaded ones, changed, taken back and deleted', async () => {
    for (const part of ['Norte', 'Sul']) {
      const operations = Array.from({ length: 100 }, (_, number) => ({
        ...{ op: 'create', record: { full_name: `Bulk ${number} ${part}` } },
      }))
      await callApi(demo.current, 'POST', 'people/batch', { operations })
    }
    const count = async (query: string) => {
      const pages = await Promise.all(
        [1, 2].map((page) =>
          callApi<readonly object[]>(demo.current, 'GET', `people?${query}&per_page=100&page=${page}`),
        ),
      )
      return pages.flat().length
    }
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people?search=Bulk`)
    const table = page.getByRole('table', { name: 'People' })
    await table.getByText('Bulk 0 Norte').waitFor()
    await table.getByRole('checkbox').nth(1).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('100 are selected, of those loaded.').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('All 200 that match are selected.').waitFor()
    const bar = page.getByRole('region', { name: '200 selected' })
    await bar.waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('l')
    await page.getByRole('option').nth(2).click()
    await page.getByText('200 records were changed.').waitFor()
    const [changed] = await callApi<readonly BulkChange[]>(demo.current, 'GET', 'bulk-changes')
    const [tag] = changed!.change.add_tags
    expect(await count(`search=Bulk&tag=${tag}`)).toBe(200)
    await page.goto(`${demo.current.base}/w/demo/settings/imports`)
    await page.getByRole('button', { name: 'Undo Tags' }).click()
    await page.getByText('200 records are as they were.').waitFor()
    await page.getByRole('cell', { name: 'Undone' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await count(`search=Bulk&tag=${tag}`)).toBe(0)

    await page.goto(`${demo.current.base}/w/demo/people?search=Bulk`)
    await table.getByText('Bulk 0 Norte').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+a')
    await bar.getByRole('button', { name: 'Field' }).click()
    const form = page.getByRole('dialog', { name: 'Field: 200 selected' })
    const choice = form.getByRole('combobox', { name: 'Field' })
    const offered = await choice.getByRole('option').allTextContents()
    expect(offered).toEqual(expect.arrayContaining(['Position', 'Birthday']))
    expect(offered.filter((name) => ['Name', 'E-mail', 'Phone', 'Address'].includes(name))).toEqual([])
    await choice.selectOption({ label: 'Position' })
    await form.getByRole('textbox', { name: 'Position' }).fill('Buyer')
    expect(await violations(page, true)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('200 records were changed.').waitFor()
    const buyers = await callApi<readonly PersonRow[]>(demo.current, 'GET', 'people?search=Bulk&per_page=100')
    expect(new Set(buyers.map(({ position }) => position))).toEqual(new Set(['Buyer']))

    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Select all 200 that match' }).click()
    await bar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete 200 records?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('Must be the number of records.').waitFor()
    expect(await violations(page, true)).toEqual([])
    await dialog.getByRole('textbox').fill('200')
    await page.keyboard.press('Enter')
    await page.getByText('200 records were deleted.').waitFor()
    expect(await count('search=Bulk')).toBe(0)
  })

  test('a field of the selected records is set, refused where it is typed, and taken back', async () => {
    for (const name of ['Ana', 'Bia'])
      await callApi(demo.current, 'POST', 'people', { full_name: `Field ${name}`, ...birthday('1990-01-02') })
    await callApi(demo.current, 'POST', 'people', { full_name: 'Field Caio' })
    const birthdays = async () => {
      const people = await callApi<readonly PersonRow[]>(demo.current, 'GET', 'people?search=Field&order=asc')
      return people.map(({ custom_fields }) => custom_fields.find(({ key }) => key === 'birthday')?.value)
    }
    await callApi(demo.current, 'POST', 'custom-fields', {
      ...{ label: 'Rank', key: 'position', type: 'text', show_people: true },
    })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people?search=Field`)
    await page.getByRole('table', { name: 'People' }).getByText('Field Caio').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Field' }).click()
    const form = page.getByRole('dialog', { name: 'Field: 3 selected' })
    const choice = form.getByRole('combobox', { name: 'Field' })
    // Its key is the name of another field.
    await choice.selectOption({ label: 'Rank' })
    await form.getByRole('textbox', { name: 'Rank' }).waitFor()
    expect(await form.getByRole('textbox').count()).toBe(1)
    await choice.selectOption({ label: 'Birthday' })
    await form.getByRole('textbox', { name: 'Birthday' }).fill('someday')
    await page.keyboard.press('Enter')
    await form.getByText('Not a day.').waitFor()
    await form.getByRole('textbox', { name: 'Birthday' }).fill('')
    await page.keyboard.press('Enter')
    await page.getByText('3 records were changed.').waitFor()
    await expect.poll(birthdays).toEqual([undefined, undefined, undefined])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(birthdays).toEqual(['1990-01-02', '1990-01-02', undefined])
  })
})
