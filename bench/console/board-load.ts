import type { ConsoleBrowser, Tab } from './browser.ts'
import type { Row } from './rows.ts'

/** The board shows the first 25 deals of each of its five stages. */
export const CARDS = `'[data-deal]', 125`
const MAX_MS = 1_200

/** Opens the board with an empty cache. The first round warms up the service. */
export async function measureBoardLoad(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  const values: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const tab = await browser.openTab()
    const ms = await loadBoard(tab)
    if (round > 0) values.push(ms)
    await tab.close()
  }
  return [{ title: 'board: first visit, to its cards', unit: 'ms', values, atMost: MAX_MS }]
}

/** Returns the milliseconds from the start of the navigation until the cards are painted. */
export async function loadBoard(tab: Tab): Promise<number> {
  await tab.open('/deals')
  return tab.evaluate<number>(`probe.waitForElements(${CARDS})`)
}
