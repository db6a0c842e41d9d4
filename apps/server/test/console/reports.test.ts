import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Pipeline {
  readonly id: string
  readonly stages: readonly { readonly id: string }[]
}

type Cells = readonly string[]

describe.skipIf(CHROMIUM === null)('the reports of a pipeline', () => {
  const demo = useDemo((folder) => `sqlite:${folder}/crm.db`)

  test('count how far deals came, and who won how much', async () => {
    const pipeline = await callApi<Pipeline>(demo.current, 'POST', 'pipelines', {
      name: 'Kitchens',
      stages: [
        { name: 'Visit' },
        { name: 'Quote' },
        { name: 'Won', type: 'win' },
        { name: 'Lost', type: 'lost' },
      ],
    })
    const [visit, quote, won, lost] = pipeline.stages.map(({ id }) => id)
    const create = (name: string, stage_id: string | undefined, amount: number) =>
      callApi<{ readonly id: string }>(demo.current, 'POST', 'deals', {
        ...{ name, stage_id, amount, currency: 'BRL', pipeline_id: pipeline.id },
      })
    const { id: type } = await callApi<{ readonly id: string }>(demo.current, 'POST', 'task-types', {
      title: 'Measure',
    })
    for (const title of ['Kitchen', 'Bath'])
      await callApi(demo.current, 'POST', 'tasks', {
        ...{ title, type, completed: true, due_date: '2020-01-01T12:00:00Z' },
      })
    await create('Open', visit, 100)
    await create('Quoted', quote, 100)
    await create('Sold', won, 5000)
    const { id } = await create('Gone', quote, 300)
    await callApi(demo.current, 'PATCH', `deals/${id}`, { stage_id: lost })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/reports?pipeline=${pipeline.id}`)
    const readTable = async (name: string): Promise<readonly Cells[]> => {
      const rows = page.getByRole('table', { name }).locator('tbody tr')
      await rows.first().waitFor()
      return rows.evaluateAll((all) =>
        all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
      )
    }
    expect(await readTable('Funnel')).toEqual([
      ['Visit', '4', '3', '75%', '—', '0', '1'],
      ['Quote', '3', '1', '33%', '0', '1', '1'],
      ['Won', '1', '—', '25%', '0', '1', '2'],
    ])
    const [owner] = await readTable('Won by owner')
    expect(owner?.slice(1, 3)).toEqual(['1', '50%'])
    expect(owner?.at(-1)).toMatch(/50/)
    const measured = (await readTable('Completed tasks')).find(([title]) => title === 'Measure')
    expect(measured?.slice(-2)).toEqual(['2', '2'])
    expect(await violations(page)).toEqual([])

    const follow = async (table: string, row: string, cell: number, name: string) => {
      const line = page
        .getByRole('table', { name: table })
        .locator('tbody tr')
        .filter({ hasText: row })
        .first()
      await line.getByRole('cell').nth(cell).getByRole('link').click()
      await page.getByRole('table', { name: 'Deals' }).getByRole('link', { name, exact: true }).waitFor()
      expect(await page.getByRole('table', { name: 'Deals' }).getAttribute('aria-rowcount')).toBe('2')
      await page.goBack()
    }
    await follow('Funnel', 'Quote', 5, 'Quoted')
    await follow('Funnel', 'Won', 4, 'Gone')
    await follow('Won by owner', 'No owner', 0, 'Sold')
    await follow('Lost reasons', 'No reason', 0, 'Gone')
    await follow('Stages', 'Visit', 0, 'Open')
  })
})
