import { setTimeout as sleep } from 'node:timers/promises'
import { loadBoard } from './board-load.ts'
import type { ConsoleBrowser, Tab } from './browser.ts'
import type { KeyTimes } from './page/probe.ts'
import { longest, percentile, type Row } from './rows.ts'

const TARGET_MS = 50
const TEXT = 'licences f'
/** A fast typist, and one who waits long enough that every letter is searched for. */
const PAUSES_MS = [100, 350] as const
const REST_MS = 800

const FIELDS = [
  { title: 'search of the board', open: async ({ page }: Tab) => page.keyboard.press('/') },
  {
    title: 'palette',
    open: async ({ page }: Tab) => {
      await page.keyboard.press('Control+k')
      await page.locator('[role=dialog] [role=combobox]').waitFor()
    },
  },
] as const

/** Types ten letters into the search of the board and into the palette, and reads what is found. */
export async function measureTyping(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  const tab = await browser.openTab()
  for (const { title, open } of FIELDS)
    for (const pauseMs of PAUSES_MS) {
      const samples: Typing[] = []
      for (let round = 0; round < rounds; round += 1) {
        await loadBoard(tab)
        await sleep(REST_MS)
        await open(tab)
        await sleep(REST_MS)
        samples.push(await typeText(tab, pauseMs))
      }
      const name = `${title}, a letter each ${pauseMs} ms`
      rows.push(
        {
          title: `${name}: longest task over 50 ms`,
          unit: 'ms',
          values: samples.map(({ tasks }) => longest(tasks)),
          target: TARGET_MS,
        },
        {
          title: `${name}: from the key to the letter, median`,
          unit: 'ms',
          digits: 1,
          values: samples.map(({ delays }) => percentile(delays, 50)),
        },
        {
          title: `${name}: from the key to the letter, slowest`,
          unit: 'ms',
          digits: 1,
          values: samples.map(({ delays }) => longest(delays)),
        },
      )
    }
  await tab.close()
  return rows
}

interface Typing extends KeyTimes {
  readonly tasks: readonly number[]
}

async function typeText({ page, evaluate }: Tab, pauseMs: number): Promise<Typing> {
  const startedAt = await evaluate<number>('performance.now()')
  await evaluate('void (globalThis.stop = probe.watchKeys())')
  await page.keyboard.type(TEXT, { delay: pauseMs })
  await sleep(REST_MS)
  const { delays } = await evaluate<KeyTimes>('stop()')
  if (delays.length !== TEXT.length) throw new Error(`Of ${TEXT.length} letters, ${delays.length} were seen.`)
  return { delays, tasks: await evaluate<number[]>(`probe.longTasksBetween(${startedAt}, Infinity)`) }
}
