import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, interceptCalls, useDemo } from './demo-console.ts'

interface Deal {
  readonly id: string
  readonly amount: number
  readonly stage: { readonly name: string; readonly type: string }
  readonly lost_reason: { readonly name: string } | null
  readonly lost_note: string | null
}

interface Pipeline {
  readonly id: string
  readonly stages: readonly { readonly id: string; readonly name: string }[]
}

describe.skipIf(CHROMIUM === null)('a lost deal in the console', () => {
  const demo = useDemo((folder) => `sqlite:${folder}/crm.db`)
  const dealOf = (id: string) => callApi<Deal>(demo.current, 'GET', `deals/${id}`)

  test('is given a reason by a number and a note, which its page shows and changes', async () => {
    for (const name of ['Price', 'Timing']) await callApi(demo.current, 'POST', 'lost-reasons', { name })
    const { id } = await callApi<Deal>(demo.current, 'POST', 'deals', { name: 'Chairs' })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/deals/${id}`)
    await page.getByRole('heading', { level: 1, name: 'Chairs' }).waitFor()
    await page.keyboard.press('Shift+W')
    const dialog = page.getByRole('dialog', { name: 'Why was “Chairs” lost?' })
    await dialog.getByRole('radio', { name: 'Timing' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('1')
    expect(await dialog.getByRole('radio', { name: 'Price' }).isChecked()).toBe(true)
    await page.keyboard.press('1')
    expect(await dialog.getByRole('radio', { name: 'Price' }).isChecked()).toBe(false)
    await page.keyboard.press('2')
    await dialog.getByLabel('Note').fill('Back in 2027.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Lost for: Timing').waitFor()
    await expect
      .poll(() => dealOf(id))
      .toMatchObject({ lost_reason: { name: 'Timing' }, lost_note: 'Back in 2027.', stage: { type: 'lost' } })
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('radio', { name: 'Price' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Lost for: Price').waitFor()
    await expect.poll(async () => (await dealOf(id)).lost_reason?.name).toBe('Price')
  })

  test('asks for the fields that a stage requires, and moves with them', async () => {
    const { stages, id: pipeline_id } = await callApi<Pipeline>(demo.current, 'POST', 'pipelines', {
      name: 'Large deals',
      stages: [
        { name: 'New', stale_after_days: 1 },
        { name: 'Proposal', required_fields: ['amount', 'source'] },
        { name: 'Lost', type: 'lost', required_fields: ['lost_reason'] },
      ],
    })
    const { id } = await callApi<Deal>(demo.current, 'POST', 'deals', { name: 'Tables', pipeline_id })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/deals/${id}`)
    await page.getByRole('button', { name: stages[1]!.name }).click()
    const dialog = page.getByRole('dialog', { name: 'Proposal needs more' })
    await dialog.getByLabel('Source').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel('Amount').fill('120')
    await dialog.getByRole('button', { name: 'Move to Proposal' }).click()
    expect(await dialog.getByLabel('Source').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Source').fill('Fair')
    await dialog.getByRole('button', { name: 'Move to Proposal' }).click()
    await expect
      .poll(() => dealOf(id))
      .toMatchObject({ stage: { name: 'Proposal' }, amount: 12_000, source: 'Fair' })
    await page.getByRole('button', { name: 'Lost', exact: true }).click()
    await page.getByRole('button', { name: 'Mark as lost' }).click()
    await page.getByText('Choose a reason.').waitFor()
    expect((await dealOf(id)).stage.name).toBe('Proposal')
  })

  test('has reasons and stages that the settings change', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/settings/lost-reasons`)
    for (const name of ['Missing feature', 'No decision']) {
      await page.getByLabel('New reason').fill(name)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: `Delete ${name}` }).waitFor()
    }
    const read = Promise.withResolvers<void>()
    await interceptCalls(page, '**/v1/lost-reasons?*', async (route) => {
      await read.promise
      await route.continue()
    })
    for (const name of ['Other supplier', 'No budget']) {
      const created = page.waitForResponse((response) => response.status() === 201)
      await page.getByLabel('New reason').fill(name)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await created
    }
    read.resolve()
    await page.getByRole('button', { name: 'Delete No budget' }).waitFor()
    await page.getByLabel('New reason').fill('NO DECISION')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('A record with this value already exists.').waitFor()
    await page.getByRole('button', { name: /^Move No decision,/ }).focus()
    await page.keyboard.press('Space')
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    const names = async () => {
      const reasons = await callApi<{ name: string }[]>(
        demo.current,
        'GET',
        'lost-reasons?order_by=position&order=asc',
      )
      return reasons.map(({ name }) => name)
    }
    await expect.poll(async () => (await names())[0]).toBe('No decision')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete Missing feature' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(names).not.toContain('Missing feature')

    const { id: lost_reason_id } = await callApi<Deal>(demo.current, 'POST', 'lost-reasons', {
      name: 'Silence',
    })
    const pipelines = await callApi<Pipeline[]>(
      demo.current,
      'GET',
      'pipelines?order_by=created_at&order=asc',
    )
    const lost = pipelines[0]!.stages.at(-1)!
    const deal = { name: 'Lamps', pipeline_id: pipelines[0]!.id, stage_id: lost.id, lost_reason_id }
    await callApi(demo.current, 'POST', 'deals', deal)
    const [pipeline] = pipelines
    await page.goto(`${demo.current.base}/w/demo/settings/pipelines/${pipeline!.id}`)
    const stage = pipeline!.stages[1]!
    await page.getByRole('button', { name: `What ${stage.name} asks` }).click()
    const dialog = page.getByRole('dialog', { name: `What ${stage.name} asks` })
    await dialog.getByRole('checkbox', { name: 'Forecast' }).check({ force: true })
    await dialog.getByLabel('Stale after days').fill('0')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Write a whole number from 1 to 3650, or nothing.').waitFor()
    await dialog.getByLabel('Stale after days').fill('12')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Needs Forecast · stale after 12 days/).waitFor()
    await expect
      .poll(() => callApi<Pipeline>(demo.current, 'GET', `pipelines/${pipeline!.id}?include=settings`))
      .toMatchObject({
        stages: expect.arrayContaining([expect.objectContaining({ name: stage.name, stale_after_days: 12 })]),
      })
    await page.goto(`${demo.current.base}/w/demo/reports`)
    await page.getByRole('table', { name: 'Lost reasons' }).getByText('Silence').waitFor()
  })
})
