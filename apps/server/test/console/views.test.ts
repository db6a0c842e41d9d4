import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface View {
  readonly id: string
  readonly name: string
  readonly shared: string
  readonly filter: unknown
}

describe.skipIf(CHROMIUM === null)('filters and views', () => {
  const demo = useDemo((folder) => `sqlite:${folder}/crm.db`)

  test('a table is filtered by any field, saved as a view, shared and changed', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people`)
    const table = page.getByRole('table', { name: 'People' })
    await table.getByRole('row').nth(3).waitFor()
    const rowCount = async () => Number(await table.getAttribute('aria-rowcount')) - 1
    await expect.poll(rowCount).toBeGreaterThan(0)
    const all = await rowCount()
    await table.getByRole('columnheader', { name: 'Company' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Tags' }).check({ force: true })
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Columns')
    await table
      .getByRole('cell')
      .filter({ has: page.locator('[title]') })
      .first()
      .waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type('pos cont cf')
    await page.getByRole('option', { name: 'Position contains cf' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Change the filter: Position contains cf' }).waitFor()
    await expect.poll(rowCount).toBeLessThan(all)
    const finance = await rowCount()

    // A field, and then how it is compared.
    await page.keyboard.press('f')
    await page.keyboard.type('owner')
    await page.getByRole('option', { name: 'Owner is any of' }).click()
    const form = page.getByRole('dialog', { name: 'Owner' })
    await form.getByRole('button', { name: 'Apply' }).click()
    await form.getByText('Choose at least one.').waitFor()
    await form.getByText('Nobody', { exact: true }).click()
    await form.getByRole('button', { name: 'Apply' }).click()
    const nobody = page.getByRole('button', { name: 'Change the filter: Owner is any of Nobody' })
    await nobody.waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByTitle('Show what matches any of them').click()
    await expect.poll(rowCount).toBeGreaterThanOrEqual(finance)
    await nobody.press('Delete')
    await nobody.waitFor({ state: 'detached' })
    await expect.poll(rowCount).toBe(finance)

    await page.getByRole('button', { name: 'Position', exact: true }).click()
    await page.getByRole('button', { name: 'Name', exact: true }).click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Finance')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Finance' }).waitFor()
    const link = page.getByRole('link', { name: /^Finance/ })
    await expect.poll(() => link.textContent()).toContain(String(finance))
    const [view] = await callApi<View[]>(demo.current, 'GET', 'views')
    expect(view).toMatchObject({
      ...{ kind: 'people', name: 'Finance', shared: 'nobody' },
      filter: { and: [{ field: 'position', op: 'contains', value: 'cf' }] },
      ...{ order_by: 'position,full_name', order: 'asc,asc' },
    })

    await page.getByRole('button', { name: 'Remove the filter: Position contains cf' }).click()
    await page.getByText('Not saved').waitFor()
    await expect.poll(rowCount).toBe(all)
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(rowCount).toBe(finance)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitemradio', { name: 'Everyone' }).click()
    await page.getByText('Shared with everyone').waitFor({ state: 'attached' })
    expect(await callApi(demo.current, 'GET', `views/${view!.id}`)).toMatchObject({ shared: 'everyone' })

    await page.getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    await link.click()
    await page.getByRole('heading', { name: 'Finance' }).waitFor()
    await expect.poll(rowCount).toBe(finance)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Copy into a list…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Finance of today')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const countListed = async () => {
      const lists = await callApi<View[]>(demo.current, 'GET', 'lists?per_page=100')
      const id = lists.find(({ name }) => name === 'Finance of today')?.id
      const people = id
        ? await callApi<object[]>(demo.current, 'GET', `people?list_id=${id}&per_page=100`)
        : []
      return people.length
    }
    await expect.poll(countListed).toBe(finance)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Delete the view' }).click()
    await page.getByText('The view “Finance” was deleted.').waitFor()
    await expect.poll(rowCount).toBe(all)
  })

  test('a view whose field was deleted says so and shows the rest', async () => {
    const field = await callApi<View>(demo.current, 'POST', 'custom-fields', {
      ...{ label: 'Tier', key: 'tier', type: 'number', show_people: true },
    })
    const view = await callApi<View>(demo.current, 'POST', 'views', {
      ...{ kind: 'people', name: 'Tiers', columns: ['full_name', 'custom_fields.tier'] },
      filter: { and: [{ field: 'custom_fields.tier', op: 'greater', value: 3 }] },
    })
    const page = await enterDemo(demo.current)
    const open = () => page.goto(`${demo.current.base}/w/demo/people?saved=${view.id}`)
    await open()
    await page.getByRole('button', { name: 'Change the filter: Tier is greater than 3' }).waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).waitFor()
    await callApi(demo.current, 'DELETE', `custom-fields/${field.id}`)
    await open()
    await page.getByText('“custom_fields.tier” was deleted').waitFor()
    await page.getByRole('table', { name: 'People' }).getByRole('row').nth(3).waitFor()
  })

  test('a table is grouped, with counts and sums; groups are folded and selected', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/deals?view=table`)
    const table = page.getByRole('table', { name: 'Deals' })
    await table.getByRole('row').nth(3).waitFor()
    await page.keyboard.press('Shift+G')
    await page.getByRole('menuitemradio', { name: 'Owner' }).click()
    await table.getByRole('button', { expanded: true }).first().waitFor()
    const [pipeline] = await callApi<{ readonly id: string }[]>(
      ...([demo.current, 'GET', 'pipelines?order_by=created_at&order=asc'] as const),
    )
    const query = 'entity=deals&metric=sum&field=amount&group_by=owner&status=open'
    const { groups } = await callApi<Aggregate>(
      ...([demo.current, 'GET', `reports/aggregate?${query}&pipeline_id=${pipeline!.id}`] as const),
    )
    const members = await callApi<{ readonly id: string; readonly name: string }[]>(
      demo.current,
      'GET',
      'members',
    )
    const expected = members
      .map(({ id, name }) => ({ name, of: groups.filter(({ key }) => key === id) }))
      .filter(({ of }) => of.length > 0)
      .map(({ name, of }) => ({ name, count: of.reduce((total, { count }) => total + count, 0) }))
      .toSorted((one, other) => one.name.localeCompare(other.name))
    const heads = table.getByRole('button', { expanded: true })
    await expect
      .poll(() => heads.allTextContents())
      .toEqual(expect.arrayContaining(expected.map(({ name, count }) => `${initials(name)}${name}${count}`)))
    const total = expected.reduce((sum, { count }) => sum + count, 0)
    const rowCount = async () => Number(await table.getAttribute('aria-rowcount')) - 1
    expect(await rowCount()).toBeGreaterThanOrEqual(total + expected.length)
    expect(await violations(page)).toEqual([])

    const before = await rowCount()
    const [first] = expected
    await table
      .getByRole('checkbox', { name: `Select ${first!.count} records of ${first!.name}` })
      .check({ force: true })
    await page.getByText(`${first!.count} selected`).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(rowCount).toBe(before - first!.count)
    await page.reload()
    await table.getByRole('button', { name: first!.name, expanded: false }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect.poll(rowCount).toBe(before)

    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('By owner')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'By owner' }).waitFor()
    await page.getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('link', { name: /^By owner/ }).click()
    await table.getByRole('button', { name: first!.name, expanded: true }).waitFor()
  })
})

interface Aggregate {
  readonly groups: readonly { readonly key: string | null; readonly count: number }[]
}

/** As an avatar has them. */
function initials(name: string): string {
  const words = name.split(' ')
  return [words[0]!, words.at(-1)!].map((word) => word[0]).join('')
}
