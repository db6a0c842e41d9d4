import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'
import { addMember, openAsMember } from './sign-in-member.ts'

interface Member {
  readonly id: string
  readonly name: string
}

interface Target {
  readonly id: string
  readonly owner: Member | null
  readonly amount: number
}

const MARA = 'mara@demo.example'

describe.skipIf(CHROMIUM === null)('targets in the console', () => {
  let databaseUrl = ''
  const demo = useDemo((folder) => {
    databaseUrl = `sqlite:${join(folder, 'crm.db')}`
    return databaseUrl
  })
  beforeAll(() => addMember(databaseUrl, 'Mara Prado', MARA), 60_000)
  const list = (query: string) => callApi<Target[]>(demo.current, 'GET', `targets?currency=BRL&${query}`)

  test('are typed for each member, copied from the month before, and set against what was won', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/reports`)
    const panel = page.getByRole('region', { name: 'Target' })
    await panel.getByText(/No target in BRL is set for/).waitFor()
    const chip = panel.getByRole('button', { name: /Month of the target/ })
    const month = new Date(`1 ${await chip.textContent()} 12:00Z`).toISOString().slice(0, 7)
    const last = new Date(Date.parse(`${month}-01T00:00Z`) - 1).toISOString().slice(0, 7)
    const members = (await callApi<Member[]>(demo.current, 'GET', 'members')).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )
    const [first, second] = members as [Member, Member]
    await callApi(demo.current, 'POST', 'targets', {
      ...{ month: last, owner_id: first.id, currency: 'BRL', amount: 123_456 },
    })

    await page.getByRole('button', { name: 'Targets', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Targets of members' })
    const fieldOf = ({ name }: Member) => dialog.getByLabel(`Target of \u2068${name}\u2069`)
    await fieldOf(first).waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: /^As in/ }).click()
    await expect.poll(() => fieldOf(first).inputValue()).toBe('1234,56')
    await fieldOf(second).fill('much')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/Not an amount in BRL/).waitFor()
    await fieldOf(second).fill('250.000')
    await fieldOf(second).press('Enter')
    const fields = dialog.getByRole('textbox')
    const index = members.indexOf(second)
    expect(await fields.nth(index + 1).evaluate((field) => field.matches(':focus'))).toBe(true)
    await fields.last().press('Enter')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const amounts = async (of: string) =>
      Object.fromEntries((await list(`month=${of}`)).map(({ owner, amount }) => [owner?.name, amount]))
    expect(await amounts(month)).toEqual({ [first.name]: 123_456, [second.name]: 250_000_00 })

    const table = panel.getByRole('table', { name: 'Target' })
    await table.getByText('R$ 250.000').first().waitFor()
    await panel.getByText(/in the weighted forecast make \d+% of/).waitFor()
    expect(await violations(page)).toEqual([])
    await chip.click()
    await page.getByRole('menuitemradio').first().click()
    await panel.getByText(/No target in BRL is set for/).waitFor()

    await page.getByRole('button', { name: 'Targets', exact: true }).click()
    await fieldOf(second).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await amounts(month)).toEqual({ [first.name]: 123_456 })
  })

  test('are shown to a member who may not set them, also on a phone', async () => {
    const { time_zone } = await callApi<{ readonly time_zone: string }>(demo.current, 'GET', 'workspace')
    const month = new Date().toLocaleDateString('sv-SE', { timeZone: time_zone }).slice(0, 7)
    const [first] = await callApi<[Member]>(demo.current, 'GET', 'members?per_page=1')
    await callApi(demo.current, 'POST', 'targets', {
      ...{ month, owner_id: first.id, currency: 'USD', amount: 98_765_432_100 },
    })
    const viewport = { width: 390, height: 844 }
    const page = await openAsMember(demo.current, MARA, 'reports?currency=USD', { viewport, hasTouch: true })
    const table = page.getByRole('table', { name: 'Target' })
    await table.getByText(first.name).waitFor()
    expect(await page.getByRole('button', { name: 'Targets', exact: true }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
  })
})
