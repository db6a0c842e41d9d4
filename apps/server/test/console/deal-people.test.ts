import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Created {
  readonly id: string
}

interface Deal extends Created {
  readonly people: readonly {
    readonly full_name: string
    readonly role: string | null
    readonly main: boolean
  }[]
}

describe.skipIf(CHROMIUM === null)('the people on a deal', () => {
  const demo = useDemo((folder) => `sqlite:${folder}/crm.db`)
  const create = (kind: string, input: object) => callApi<Created>(demo.current, 'POST', kind, input)
  const peopleOf = async (id: string) => {
    const { people } = await callApi<Deal>(demo.current, 'GET', `deals/${id}`)
    return people.map(({ full_name, role, main }) => [full_name, role, main])
  }

  test('are added, given roles, and one of them is made the main one', async () => {
    const ana = await create('people', { full_name: 'Ana Buyer' })
    await create('people', { full_name: 'Tom Technician' })
    const { id } = await create('deals', { name: 'Benches', person_id: ana.id })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/deals/${id}`)
    const people = page.getByRole('region', { name: 'People', exact: true })
    await people.getByRole('link', { name: 'Ana Buyer' }).waitFor()
    await people.getByRole('button', { name: 'Add a person' }).click()
    await page.getByRole('combobox', { name: 'Add a person' }).fill('Tom Tech')
    await page.getByRole('option', { name: 'Tom Technician' }).click()
    await people.getByRole('link', { name: 'Tom Technician' }).waitFor()
    await people.getByRole('button', { name: 'Add a person' }).click()
    await page.getByRole('combobox', { name: 'Add a person' }).fill('Paula Payer')
    await page.getByRole('option', { name: /New person.*Paula Payer/ }).click()
    await people.getByRole('link', { name: 'Paula Payer' }).waitFor()
    await people.getByTitle('Edit: Role of Tom Technician').click()
    await people.getByRole('combobox', { name: 'Role of Tom Technician' }).fill('Technical contact')
    await page.keyboard.press('Enter')
    await people.getByText('Technical contact').waitFor()
    await expect
      .poll(() => peopleOf(id))
      .toEqual([
        ['Ana Buyer', null, true],
        ['Tom Technician', 'Technical contact', false],
        ['Paula Payer', null, false],
      ])
    expect(await violations(page)).toEqual([])
    await people.getByRole('button', { name: 'Actions for Tom Technician' }).click()
    await page.getByRole('menuitem', { name: 'Make the main one' }).click()
    await expect
      .poll(async () => (await peopleOf(id))[0])
      .toEqual(['Tom Technician', 'Technical contact', true])
    await people.getByRole('button', { name: 'Actions for Tom Technician' }).click()
    await page.getByRole('menuitem', { name: 'Remove: Ana Buyer becomes the main one' }).click()
    await expect
      .poll(async () => (await peopleOf(id)).map(([name]) => name))
      .toEqual(['Ana Buyer', 'Paula Payer'])
    await page.keyboard.press('z')
    await expect.poll(async () => (await peopleOf(id)).length).toBe(3)
  })

  test('are found at each of the companies of a person, with the position there', async () => {
    const [acme, bolt] = [
      await create('companies', { full_name: 'Acme' }),
      await create('companies', { full_name: 'Bolt' }),
    ]
    const companies = [
      { company_id: acme.id, position: 'Buyer' },
      { company_id: bolt.id, position: 'Board' },
    ]
    const { id } = await create('people', { full_name: 'Eva Two', companies })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/companies/${bolt.id}`)
    await page.getByRole('link', { name: 'Eva Two' }).click()
    const others = page.getByRole('region', { name: 'Other companies' })
    await others.getByText('Board').waitFor()
    await others.getByRole('button', { name: 'Actions for Bolt' }).click()
    await page.getByRole('menuitem', { name: 'Make the main one' }).click()
    await expect
      .poll(() => callApi(demo.current, 'GET', `people/${id}`))
      .toMatchObject({ position: 'Board', company: { full_name: 'Bolt' } })
  })
})
