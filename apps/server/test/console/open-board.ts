import type { Page } from 'playwright-core'
import { callApi, type DemoProcess, enterDemo } from './demo-console.ts'

export interface Deal {
  readonly id: string
  readonly name: string
  readonly stage: { readonly id: string; readonly name: string }
  readonly owner: { readonly name: string } | null
  readonly tags: readonly { readonly name: string }[]
}

interface Pipeline {
  readonly id: string
  readonly stages: readonly { readonly id: string; readonly name: string; readonly type: string }[]
}

export function getDeal(demo: DemoProcess, id: string): Promise<Deal> {
  return callApi<Deal>(demo, 'GET', `deals/${id}`)
}

/** Opens the board of a new pipeline, whose deals are in its first stage, and focuses the first card. */
export async function openBoard(
  demo: DemoProcess,
  names: readonly string[],
): Promise<{ page: Page; pipeline: Pipeline; ids: string[] }> {
  const pipeline = await callApi<Pipeline>(demo, 'POST', 'pipelines', {
    name: `Keys ${names.length}`,
    stages: [
      { name: 'First', type: 'open', probability: 10 },
      { name: 'Second', type: 'open', probability: 50 },
      { name: 'Won', type: 'win' },
      { name: 'Lost', type: 'lost' },
    ],
  })
  const ids: string[] = []
  for (const name of names) {
    const deal = await callApi<Deal>(demo, 'POST', 'deals', {
      name,
      pipeline_id: pipeline.id,
      stage_id: pipeline.stages[0]?.id,
    })
    ids.push(deal.id)
  }
  const page = await enterDemo(demo)
  await page.goto(`${demo.base}/w/demo/deals?pipeline=${pipeline.id}&sort=name`)
  await page.locator('[data-deal]').first().waitFor()
  await page.keyboard.press('j')
  return { page, pipeline, ids }
}
