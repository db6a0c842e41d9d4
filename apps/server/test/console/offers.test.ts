import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

describe.skipIf(CHROMIUM === null)('an offer in the console', () => {
  const demo = useDemo((folder) => `sqlite:${folder}/crm.db`)

  test('is made for a deal with items once there is a sender, and its link is revoked', async () => {
    const { id } = await callApi<{ id: string }>(demo.current, 'POST', 'deals', { name: 'Chairs' })
    const page = await enterDemo(demo.current)
    const openDeal = async () => {
      await page.goto(`${demo.current.base}/w/demo/deals/${id}`)
      await page.getByRole('heading', { level: 1, name: 'Chairs' }).waitFor()
    }
    await openDeal()
    const offers = page.getByRole('region', { name: 'Offers' })
    await offers.getByText('The deal has no items to offer.').waitFor()
    await page.goto(`${demo.current.base}/w/demo/settings/workspace`)
    const sender = page.getByRole('region', { name: 'Sender of offers' })
    await sender.getByLabel('Legal name').fill('Aurora Ltda.')
    await sender.getByRole('button', { name: 'Save the sender' }).click()
    await page.getByText('The sender was saved.').waitFor()
    expect(await violations(page)).toEqual([])
    await callApi(demo.current, 'POST', `deals/${id}/items`, { name: 'Chair', unit_price_cts: 250 })
    await openDeal()
    await offers.getByRole('button', { name: 'Make an offer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make an offer' })
    await dialog.getByLabel('Notes').fill('Thanks')
    await dialog.getByRole('button', { name: 'Make an offer' }).click()
    await offers.getByRole('button', { name: 'Make a link' }).click()
    const url = await offers.getByLabel('Link').inputValue()
    expect((await fetch(url)).status).toBe(200)
    expect(await violations(page)).toEqual([])
    await offers.getByRole('button', { name: 'Revoke the link' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Revoke the link' }).click()
    await page.getByText('The link was revoked.').waitFor()
    expect((await fetch(url)).status).toBe(404)
  })
})
