import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Named {
  readonly id: string
}

describe.skipIf(CHROMIUM === null)('the welcome page', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const pageOf = (path: string) => `${demo.current.base}/w/demo/${path}`

  test('adds an example, and takes it out again but for what was changed', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('welcome'))
    await page.getByRole('button', { name: 'Add example' }).click()
    await page.getByText('The example is there.').waitFor()
    await page.getByText('There are examples among the records.').waitFor()
    const [sofas] = await callApi<Named[]>(demo.current, 'GET', 'deals?search=sofas')
    await callApi(demo.current, 'PATCH', `deals/${sofas?.id}`, { name: 'Own sofas' })
    await page.goto(pageOf(`deals/${sofas?.id}`))
    await page.getByRole('heading', { name: 'Own sofas' }).waitFor()
    await page.getByRole('button', { name: 'Remove example' }).click()
    await page.getByText(/Changed or linked, so still there: .*Own sofas\./).waitFor()
    await page.getByText('There are examples among the records.').waitFor({ state: 'detached' })
    expect(await callApi<Named[]>(demo.current, 'GET', 'deals?search=desks')).toEqual([])
  })
})
