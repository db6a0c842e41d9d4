import { setTimeout as sleep } from 'node:timers/promises'
import type { ConsoleBrowser, Tab } from './browser.ts'
import type { TableFrames } from './page/probe.ts'
import { longest, type Row } from './rows.ts'

const TARGETS = { settledMs: 300, halfMissingFrames: 0 }
const ROW = 'tr[data-row]'
const SCROLLER = "document.querySelector('table').parentElement"
const WHEEL = { steps: 90, stepMs: 16, px: 120 }
/** Places on the scroll bar, as shares of its length. */
const JUMPS = [0.5, 0.07, 0.93, 0.31, 0.76] as const
const DRAG = { from: 0.2, to: 0.8, frames: 60 }
const REST_MS = 500

interface Scroll extends TableFrames {
  readonly tasks: readonly number[]
}

/** Scrolls the table of people by the wheel, by jumps, and by dragging the scroll bar. */
export async function measureTableScroll(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  const [wheel, jumps, drags]: [Scroll[], Scroll[], Scroll[]] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    // A new page has read no rows yet.
    const tab = await browser.openTab()
    await tab.open('/people')
    await tab.evaluate(`probe.waitForElements('${ROW}', 20)`)
    await sleep(REST_MS * 2)
    wheel.push(await watchScroll(tab, scrollByWheel))
    for (const share of JUMPS) jumps.push(await watchScroll(tab, (each) => jumpTo(each, share)))
    drags.push(await watchScroll(tab, dragScrollBar))
    await tab.close()
  }
  return [
    ...formatScrolls('wheel', wheel, true),
    ...formatScrolls('jump', jumps),
    ...formatScrolls('scroll bar dragged', drags),
  ]
}

function formatScrolls(name: string, scrolls: readonly Scroll[], isContinuous = false): readonly Row[] {
  const valuesOf = (value: (scroll: Scroll) => number) => scrolls.map(value)
  return [
    {
      title: `people, ${name}: from the last scroll event to all rows`,
      unit: 'ms',
      values: valuesOf(({ settledMs }) => settledMs),
      target: TARGETS.settledMs,
    },
    // Where the rows are not known before, as after a jump, there is no target.
    {
      title: `people, ${name}: frames with more than half of the rows missing`,
      unit: '',
      values: valuesOf(({ halfMissingFrames }) => halfMissingFrames),
      ...(isContinuous && { target: TARGETS.halfMissingFrames }),
    },
    ...(isContinuous
      ? [
          {
            title: `people, ${name}: most of the rows missing in a frame`,
            unit: '%' as const,
            values: valuesOf(({ mostMissing }) => mostMissing),
          },
        ]
      : []),
    {
      title: `people, ${name}: longest task over 50 ms`,
      unit: 'ms',
      values: valuesOf(({ tasks }) => longest(tasks)),
    },
  ]
}

async function watchScroll(tab: Tab, scroll: (tab: Tab) => Promise<unknown>): Promise<Scroll> {
  const startedAt = await tab.evaluate<number>('performance.now()')
  await tab.evaluate(`void (globalThis.stop = probe.watchTable(${SCROLLER}, '${ROW}'))`)
  await scroll(tab)
  const frames = await tab.evaluate<TableFrames>('stop()')
  await sleep(REST_MS)
  return { ...frames, tasks: await tab.evaluate<number[]>(`probe.longTasksBetween(${startedAt}, Infinity)`) }
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

function dragScrollBar({ evaluate }: Tab): Promise<unknown> {
  return evaluate(`probe.dragScrollBar(${SCROLLER}, ${DRAG.from}, ${DRAG.to}, ${DRAG.frames})`)
}
