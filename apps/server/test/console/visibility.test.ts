import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'
import { addMember, openAsMember } from './sign-in-member.ts'

interface Created {
  readonly id: string
}

const MARA = 'mara@demo.example'
const RUI = 'rui@demo.example'

describe.skipIf(CHROMIUM === null)('who sees what', () => {
  let databaseUrl = ''
  const demo = useDemo((folder) => {
    databaseUrl = `sqlite:${join(folder, 'crm.db')}`
    return databaseUrl
  })
  beforeAll(async () => {
    await addMember(databaseUrl, 'Mara Prado', MARA)
    await addMember(databaseUrl, 'Rui Costa', RUI)
  }, 60_000)
  const create = (kind: string, fields: object) => callApi<Created>(demo.current, 'POST', kind, fields)
  const change = (path: string, fields: object) => callApi(demo.current, 'PATCH', path, fields)

  async function addTeam(page: Page, name: string, members: readonly string[], lead: string): Promise<void> {
    await page.getByRole('button', { name: 'New team' }).click()
    const dialog = page.getByRole('dialog', { name: 'New team' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    for (const member of members) await dialog.getByText(member, { exact: true }).click()
    await dialog.getByRole('checkbox', { name: `${lead} leads the team` }).check({ force: true })
    await dialog.getByRole('button', { name: 'New team' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  test('is set up by an owner, beside an example that follows', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/settings/visibility`)
    const deals = page.getByRole('group', { name: 'Who sees deals' })
    await deals.waitFor()
    expect(await deals.getByRole('radio', { name: 'Team' }).isDisabled()).toBe(true)
    await addTeam(page, 'South', ['Mara Prado', 'Rui Costa'], 'Rui Costa')
    await deals.getByText('Team', { exact: true }).click()
    const example = page.getByRole('complementary', { name: 'For example, once saved' })
    await example.getByLabel('Owner').selectOption({ label: 'of Rui Costa' })
    await example.getByText('is in South, the owner’s team').waitFor()
    await deals.getByText('Its owner', { exact: true }).click()
    await example.getByRole('region', { name: 'Do not see it' }).getByText('Mara Prado').waitFor()
    expect(await violations(page)).toEqual([])
    // What is not saved stays when the page is left.
    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill('visib')
    await page.getByRole('option', { name: 'Teams, visibility' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. It holds from now on.').waitFor()
    expect(await callApi(demo.current, 'GET', 'workspace')).toMatchObject({
      visibility: { deals: 'owner', people: 'everyone' },
    })
    await page.getByRole('button', { name: 'Actions for the team South' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByText('Its 2 members no longer see').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('There are no teams.').waitFor()
  })

  test('is said on a record, which is shared there', async () => {
    await change('workspace', { visibility: { deals: 'owner' } })
    const deal = await create('deals', { name: 'Ten desks', owner_email: 'ana@demo.example' })
    const asMara = await openAsMember(demo.current, MARA, `deals/${deal.id}`)
    await asMara.getByRole('heading', { name: 'Not found' }).waitFor()

    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/deals/${deal.id}`)
    await page.getByRole('button', { name: /^\d+ sees? it$/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Who sees “Ten desks”' })
    await dialog.getByText('owns it', { exact: true }).waitFor()
    await dialog.getByRole('combobox', { name: 'Share with a member or team' }).fill('mara')
    await page.keyboard.press('Enter')
    await dialog.getByRole('combobox', { name: 'They may' }).selectOption('Can change')
    await dialog.getByRole('button', { name: 'Share and close' }).click()
    await page.getByRole('button', { name: /^\d+ sees? it$/ }).click()
    await dialog.getByRole('region', { name: 'Shared' }).getByText('Mara Prado').waitFor()
    expect(await violations(page, true)).toEqual([])

    await asMara.reload()
    await asMara.getByRole('heading', { name: 'Ten desks' }).waitFor()
    await asMara.keyboard.press('s')
    const hers = asMara.getByRole('dialog', { name: 'Who sees “Ten desks”' })
    await hers.getByRole('region', { name: 'Shared' }).getByText('Can change').waitFor()
    expect(await hers.locator('[role=combobox]:not([data-filter-add] *)').count()).toBe(0)
    await hers.getByRole('button', { name: 'Done' }).click()
    await asMara.getByRole('button', { name: 'More actions' }).click()
    await asMara.getByRole('menuitem', { name: 'Move to a stage' }).waitFor()
    expect(await asMara.getByRole('menuitem', { name: /^(Delete|Change the owner)/ }).count()).toBe(0)
    await asMara.keyboard.press('Escape')
    await asMara.keyboard.press('o')
    await asMara.getByText('It is shared with you to change it, not to give it away.').waitFor()
    await asMara.goto(`${demo.current.base}/w/demo/deals`)
    const card = asMara.getByRole('link', { name: 'Ten desks' })
    await card.waitFor()
    expect(await asMara.locator('[data-fixed]').filter({ has: card }).count()).toBe(0)

    await dialog.getByRole('button', { name: 'End sharing with Mara Prado' }).click()
    await dialog.getByText('It is shared with nobody yet.').waitFor()
    await expect.poll(() => callApi(demo.current, 'GET', `deals/${deal.id}/shares`)).toEqual([])
  })

  test('is filtered by one’s team, and lets its lead give records to its members', async () => {
    const members = await callApi<readonly (Created & { email: string })[]>(demo.current, 'GET', 'members')
    const idOf = (email: string) => members.find((member) => member.email === email)!.id
    await create('teams', { name: 'West', members: [{ id: idOf(MARA) }, { id: idOf(RUI), lead: true }] })
    await change('workspace', { visibility: { people: 'owner' } })
    await create('people', { full_name: 'Of Mara', owner_email: MARA })
    await create('people', { full_name: 'Of nobody' })
    const page = await openAsMember(demo.current, RUI, 'people')
    await page.getByRole('link', { name: 'Of nobody' }).waitFor()
    // The head of the column is a button of the same name.
    await page.locator('[aria-haspopup=menu]').getByText('Owner', { exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'My team' }).click()
    await page.getByRole('link', { name: 'Of nobody' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Of Mara' }).click()
    await page.getByRole('heading', { name: 'Of Mara' }).waitFor()
    await page.keyboard.press('o')
    const dialog = page.getByRole('dialog', { name: 'Owner: Of Mara' })
    await dialog.getByRole('option', { name: /Rui Costa/ }).waitFor()
    expect(await dialog.getByRole('option').count()).toBe(2)
    await dialog.getByRole('option', { name: /Rui Costa/ }).click()
    await expect
      .poll(() => callApi(demo.current, 'GET', 'people?search=Of+Mara'))
      .toMatchObject([{ owner: { email: RUI } }])
    await page.goto(`${demo.current.base}/w/demo/reports`)
    await page.getByText('Counts the deals that you see: yours, those of').waitFor()
  })
})
