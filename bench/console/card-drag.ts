import { setTimeout as sleep } from 'node:timers/promises'
import { loadBoard } from './board-load.ts'
import type { ConsoleBrowser, Tab } from './browser.ts'
import { longest, type Row } from './rows.ts'

const MAX_TASK_MS = 50
const STEPS = 60
const STEP_MS = 8
/** For the code that moves cards, which is loaded once the board is shown. */
const REST_MS = 1_500
const LIFT_MS = 400
const LIFTED_CARD = '[data-dnd-dragging]'

/** Drags a card from the first column to the last one and back to the second, where it is dropped. */
export async function measureCardDrag(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  const values: number[] = []
  const tab = await browser.openTab()
  for (let round = 0; round < rounds; round += 1) {
    await loadBoard(tab)
    await sleep(REST_MS)
    values.push(longest(await dragCard(tab)))
  }
  await tab.close()
  return [
    { title: 'drag: longest task over 50 ms while a card moves', unit: 'ms', values, atMost: MAX_TASK_MS },
  ]
}

/** Returns the durations of the long tasks from the lift to the drop. */
async function dragCard({ page, evaluate }: Tab): Promise<readonly number[]> {
  const { mouse } = page
  const card = (await page.locator('[data-stage] [data-deal]').first().boundingBox())!
  const columnX = async (index: number) =>
    (await page.locator('[data-stage]').nth(index).boundingBox())!.x + 100
  const [x, y] = [card.x + 60, card.y + card.height / 2]
  const [second, last] = [await columnX(1), await columnX(4)]
  const now = () => evaluate<number>('performance.now()')
  await mouse.move(x, y)
  await mouse.down()
  await mouse.move(x + 10, y + 10)
  await page.locator(LIFTED_CARD).waitFor()
  await sleep(LIFT_MS)
  const liftedAt = await now()
  for (const [from, to] of [
    [x, last],
    [last, second],
  ] as const)
    for (let step = 1; step <= STEPS; step += 1) {
      await mouse.move(from + ((to - from) * step) / STEPS, y + 150 * Math.sin(step / 10))
      await sleep(STEP_MS)
    }
  const droppedAt = await now()
  await mouse.up()
  await sleep(REST_MS)
  return evaluate<number[]>(`probe.longTasksBetween(${liftedAt}, ${droppedAt})`)
}
