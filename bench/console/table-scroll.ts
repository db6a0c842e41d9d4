import { setTimeout as sleep } from 'node:timers/promises'
import type { ConsoleBrowser, Tab } from './browser.ts'
import type { TableFrames } from './page/probe.ts'
import type { Row } from './rows.ts'

const MAX_SETTLED_MS = 300
const ROW = 'tr[data-row]'
const SCROLLER = "document.querySelector('table').parentElement"
const WHEEL = { steps: 90, stepMs: 16, px: 120 }
/** Places on the scroll bar, as shares of its length. */
const JUMPS = [0.5, 0.07, 0.93, 0.31, 0.76] as const
const REST_MS = 500

/** Scrolls the table of people by the wheel, and to places that were not read. */
export async function measureTableScroll(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  const [wheel, jumps]: [TableFrames[], TableFrames[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    // A new page has read no rows yet.
    const tab = await browser.openTab()
    await tab.open('/people')
    await tab.evaluate(`probe.waitForElements('${ROW}', 20)`)
    await sleep(REST_MS * 2)
    wheel.push(await watchScroll(tab, scrollByWheel))
    for (const share of JUMPS) jumps.push(await watchScroll(tab, (each) => jumpTo(each, share)))
    await tab.close()
  }
  const settled = (name: string, frames: readonly TableFrames[]): Row => ({
    title: `people, ${name}: from the last scroll event to all rows`,
    unit: 'ms',
    values: frames.map(({ settledMs }) => settledMs),
    atMost: MAX_SETTLED_MS,
  })
  return [
    settled('wheel', wheel),
    {
      title: 'people, wheel: frames with more than half of the rows missing',
      unit: 'frames',
      values: wheel.map(({ halfMissingFrames }) => halfMissingFrames),
      atMost: 0,
    },
    settled('jump', jumps),
  ]
}

async function watchScroll(tab: Tab, scroll: (tab: Tab) => Promise<unknown>): Promise<TableFrames> {
  await tab.evaluate(`void (globalThis.stop = probe.watchTable(${SCROLLER}, '${ROW}'))`)
  await scroll(tab)
  const frames = await tab.evaluate<TableFrames>('stop()')
  await sleep(REST_MS)
  return frames
}

async function scrollByWheel({ page }: Tab): Promise<void> {
  await page.mouse.move(700, 500)
  for (let step = 0; step < WHEEL.steps; step += 1) {
    await page.mouse.wheel(0, WHEEL.px)
    await sleep(WHEEL.stepMs)
  }
  // A wheel scrolls smoothly, so its last event comes later.
  await sleep(REST_MS / 2)
}

function jumpTo({ evaluate }: Tab, share: number): Promise<unknown> {
  return evaluate(`probe.scrollToShare(${SCROLLER}, ${share})`)
}
