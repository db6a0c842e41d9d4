import { setTimeout as sleep } from 'node:timers/promises'
import { loadBoard } from './board-load.ts'
import type { ConsoleBrowser, Tab } from './browser.ts'
import type { DragFrames } from './page/probe.ts'
import { longest, percentile, type Row } from './rows.ts'

const STEPS = 120
const STEP_MS = 16
/** For the code that moves cards, which is loaded once the board is shown. */
const REST_MS = 1_500
const LIFTED_CARD = '[data-dnd-dragging]'

/** Drags a card from the first column to the last one and back to the second, where it is dropped. */
export async function measureCardDrag(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  const lift: number[] = []
  const tasks: number[] = []
  const delays: number[] = []
  const slowDelays: number[] = []
  const lateFrames: number[] = []
  const drop: number[] = []
  const tab = await browser.openTab()
  for (let round = 0; round < rounds; round += 1) {
    await loadBoard(tab)
    await sleep(REST_MS)
    const drag = await dragCard(tab)
    lift.push(longest(drag.liftTasks))
    tasks.push(drag.dragTasks.length)
    delays.push(percentile(drag.frames.delays, 50))
    slowDelays.push(percentile(drag.frames.delays, 95))
    lateFrames.push(drag.frames.lateFrames)
    drop.push(longest(drag.dropTasks))
  }
  await tab.close()
  return [
    { title: 'drag: tasks over 50 ms while a card moves', unit: '', values: tasks, target: 0 },
    { title: 'drag: from the pointer to its frame, median', unit: 'ms', values: delays, digits: 1 },
    {
      title: 'drag: from the pointer to its frame, 95th percentile',
      unit: 'ms',
      values: slowDelays,
      digits: 1,
    },
    { title: 'drag: frames whose card is not at the pointer', unit: '', values: lateFrames, target: 0 },
    { title: 'drag: longest task of the lift over 50 ms', unit: 'ms', values: lift },
    { title: 'drag: longest task of the drop over 50 ms', unit: 'ms', values: drop },
  ]
}

async function dragCard({ page, evaluate }: Tab) {
  const from = (await page.locator('[data-stage] [data-deal]').first().boundingBox())!
  const columnX = async (index: number) =>
    (await page.locator('[data-stage]').nth(index).boundingBox())!.x + 100
  const start = { x: from.x + 60, y: from.y + from.height / 2 }
  const [second, last] = [await columnX(1), await columnX(4)]
  const now = () => evaluate<number>('performance.now()')
  await page.mouse.move(start.x, start.y)
  await sleep(REST_MS / 4)
  const liftedAt = await now()
  await page.mouse.down()
  await page.mouse.move(start.x + 10, start.y + 10)
  await page.locator(LIFTED_CARD).waitFor()
  await sleep(REST_MS / 4)
  const movedAt = await now()
  await evaluate(`void (globalThis.stop = probe.watchDrag('${LIFTED_CARD}'))`)
  for (let step = 1; step <= STEPS; step += 1) {
    const share = step / STEPS
    const x =
      share < 0.6
        ? start.x + ((last - start.x) * share) / 0.6
        : last + ((second - last) * (share - 0.6)) / 0.4
    await page.mouse.move(x, start.y + 150 * Math.sin(share * 6))
    await sleep(STEP_MS / 2)
  }
  const frames = await evaluate<DragFrames>('stop()')
  const droppedAt = await now()
  await page.mouse.up()
  await sleep(REST_MS)
  const tasksBetween = (begin: number, end: number) =>
    evaluate<number[]>(`probe.longTasksBetween(${begin}, ${end})`)
  return {
    frames,
    liftTasks: await tasksBetween(liftedAt, movedAt),
    dragTasks: await tasksBetween(movedAt, droppedAt),
    dropTasks: await tasksBetween(droppedAt, Number.MAX_SAFE_INTEGER),
  }
}
