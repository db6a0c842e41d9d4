import { CARDS } from './board-load.ts'
import type { ConsoleBrowser } from './browser.ts'
import type { Row } from './rows.ts'

const MAX_KIB = 120
const KIB = 1024

const PAGES = [
  { title: 'My day', path: '/', shown: `'main [aria-pressed]', 1` },
  { title: 'board', path: '/deals', shown: CARDS },
] as const

/** Adds up the scripts and styles that are requested until a page is shown, with an empty cache. */
export async function measureFirstLoad(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { title, path, shown } of PAGES) {
    const values: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const tab = await browser.openTab()
      await tab.open(path)
      await tab.evaluate(`probe.waitForElements(${shown})`)
      values.push((await tab.evaluate<number>('probe.loadedBytes()')) / KIB)
      await tab.close()
    }
    rows.push({
      title: `${title}: script and style, compressed`,
      unit: 'KiB',
      digits: 1,
      values,
      atMost: MAX_KIB,
    })
  }
  return rows
}
