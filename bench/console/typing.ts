import { setTimeout as sleep } from 'node:timers/promises'
import { loadBoard } from './board-load.ts'
import type { ConsoleBrowser, Tab } from './browser.ts'
import { longest, type Row } from './rows.ts'

const MAX_TASK_MS = 50
const TEXT = 'licences f'
/** Slow enough that every letter is searched for. */
const PAUSE_MS = 350
const REST_MS = 800

const FIELDS = [
  { title: 'search of the board', open: ({ page }: Tab) => page.keyboard.press('/') },
  {
    title: 'palette',
    async open({ page }: Tab) {
      await page.keyboard.press('Control+k')
      await page.locator('[role=dialog] [role=combobox]').waitFor()
    },
  },
]

/** Types ten letters into the search of the board and into the palette, and draws what is found. */
export async function measureTyping(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  const tab = await browser.openTab()
  for (const { title, open } of FIELDS) {
    const values: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await loadBoard(tab)
      await sleep(REST_MS)
      await open(tab)
      await sleep(REST_MS)
      values.push(longest(await typeText(tab)))
    }
    rows.push({ title: `${title}: longest task over 50 ms`, unit: 'ms', values, atMost: MAX_TASK_MS })
  }
  await tab.close()
  return rows
}

async function typeText({ page, evaluate }: Tab): Promise<readonly number[]> {
  const startedAt = await evaluate<number>('performance.now()')
  await page.keyboard.type(TEXT, { delay: PAUSE_MS })
  await sleep(REST_MS)
  const typed = await evaluate<string>('document.activeElement.value')
  if (typed !== TEXT) throw new Error(`The field contains ${JSON.stringify(typed)}.`)
  return evaluate<number[]>(`probe.longTasksBetween(${startedAt}, Infinity)`)
}
