import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Named {
  readonly id: string
  readonly name: string
}

describe.skipIf(CHROMIUM === null)('the settings', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const pageOf = (path: string) => `${demo.current.base}/w/demo/${path}`

  test('order the stages of a pipeline by the keyboard and by the mouse, and save them together', async () => {
    const pipeline = await callApi<Named>(demo.current, 'POST', 'pipelines', {
      name: 'Partners',
      stages: [
        { name: 'First', type: 'open', probability: 10 },
        { name: 'Second', type: 'open', probability: 20 },
      ],
    })
    const stagesOf = async () => {
      const { stages } = await callApi<{ stages: Named[] }>(demo.current, 'GET', `pipelines/${pipeline.id}`)
      return stages.map(({ name }) => name)
    }
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`settings/pipelines/${pipeline.id}`))
    await page.getByRole('button', { name: /^Move First/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    expect(await stagesOf()).toEqual(['First', 'Second'])
    await page.keyboard.press('Control+s')
    await expect.poll(stagesOf).toEqual(['Second', 'First'])

    await page.waitForLoadState('networkidle')
    const grip = (await page.getByRole('button', { name: /^Move Second/ }).boundingBox())!
    const target = (await page.getByRole('button', { name: /^Move First/ }).boundingBox())!
    await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2)
    await page.mouse.down()
    await page.mouse.move(target.x + target.width / 2, target.y + target.height, { steps: 10 })
    await page.mouse.up()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    await page.keyboard.press('Control+s')
    await expect.poll(stagesOf).toEqual(['First', 'Second'])
  })

  test('are saved by a key that is pressed as soon as they can be', async () => {
    const pipeline = await callApi<Named>(demo.current, 'POST', 'pipelines', {
      name: 'Resellers',
      stages: [{ name: 'Only', type: 'open', probability: 10 }],
    })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`settings/pipelines/${pipeline.id}`))
    const name = page.getByLabel('Name', { exact: true }).first()
    await name.waitFor()
    // The key comes before the next frame.
    await page.evaluate(`{
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[aria-label="Unsaved changes"]')) return
        observer.disconnect()
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 's', code: 'KeyS', ctrlKey: true, cancelable: true }))
      })
      observer.observe(document.body, { childList: true, subtree: true })
    }`)
    await name.fill('Distributors')
    await expect
      .poll(() => callApi<Named>(demo.current, 'GET', `pipelines/${pipeline.id}`))
      .toMatchObject({ name: 'Distributors' })
  })

  test('say why a stage with deals stays, and offer no deletion of it', async () => {
    const page = await enterDemo(demo.current)
    const [pipeline] = await callApi<Named[]>(demo.current, 'GET', 'pipelines?order_by=created_at&order=asc')
    await page.goto(pageOf(`settings/pipelines/${pipeline?.id}`))
    await page.getByText('A stage that holds deals cannot be removed.').waitFor()
    expect(await page.getByRole('button', { name: 'Remove Qualified' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
  })

  test('offer a member only what a member may do', async () => {
    const page = await enterDemo(demo.current)
    await page.route('**/v1/me', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: object }
      await route.fulfill({ response, json: { data: { ...data, role: 'member' } } })
    })
    await page.goto(pageOf('deals'))
    await page.locator('[data-deal]').first().waitFor()
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
    await page.goto(pageOf('settings/pipelines'))
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(await page.getByRole('link', { name: 'Custom fields' }).count()).toBe(0)
  })

  test('reports are copied as CSV', async () => {
    const page = await enterDemo(demo.current, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(pageOf('reports'))
    const panel = page.getByRole('region', { name: 'Stages' })
    await panel.getByRole('button', { name: /CSV/ }).click()
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toMatch(/^"Stage",.*\r?\n"Qualified",/)
  })
})
