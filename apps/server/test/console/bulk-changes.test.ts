import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface BulkChange {
  readonly change: { readonly add_tags: readonly string[] }
}

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
})
