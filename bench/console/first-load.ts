import { CARD, SHOWN_CARDS } from './board-load.ts'
import type { ConsoleBrowser } from './browser.ts'
import type { FileSizes } from './page/probe.ts'
import type { Row } from './rows.ts'

const TARGET_KIB = 120
const KIB = 1024

const PAGES = [
  { title: 'My day', path: '/', shown: `'main [aria-pressed]', 1` },
  { title: 'board', path: '/deals', shown: `'${CARD}', ${SHOWN_CARDS}` },
] as const

/** Adds up the scripts and styles that are requested until a page is shown, with an empty cache. */
export async function measureFirstLoad(browser: ConsoleBrowser): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { title, path, shown } of PAGES) {
    const tab = await browser.openTab()
    await tab.open(path)
    const shownAt = await tab.evaluate<number>(`probe.waitForElements(${shown})`)
    const { script, style } = await tab.evaluate<FileSizes>(`probe.fileSizes(${shownAt})`)
    await tab.close()
    rows.push(
      { title: `${title}: script, compressed`, unit: 'KiB', digits: 1, values: [script / KIB] },
      {
        title: `${title}: script and style, compressed`,
        unit: 'KiB',
        digits: 1,
        values: [(script + style) / KIB],
        target: TARGET_KIB,
      },
    )
  }
  return rows
}
