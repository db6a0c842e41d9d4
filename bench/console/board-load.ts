import { type ConsoleBrowser, readPageScript, type Tab } from './browser.ts'
import type { ConsoleFixture } from './fixture.ts'
import type { Row } from './rows.ts'

/** The board shows the first 25 deals of each of its five stages. */
export const SHOWN_CARDS = 125
export const CARD = '[data-deal]'
const TARGET_MS = 1_200
const PLAIN_PATH = '/plain-board'
/** The second visit stores compiled scripts, and the third uses them. */
const VISITS = 3

/** Opens the board and a static page with the same cards in alternation. */
export async function measureBoardLoad(
  browser: ConsoleBrowser,
  fixture: ConsoleFixture,
  rounds: number,
): Promise<readonly Row[]> {
  const [first, later, plain]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round <= rounds; round += 1) {
    const tab = await browser.openTab()
    const visits: number[] = []
    for (let visit = 0; visit < VISITS; visit += 1) visits.push(await loadBoard(tab))
    await tab.close()
    const plainMs = await loadPlainBoard(browser, fixture)
    // The first round warms up the service.
    if (round === 0) continue
    first.push(visits[0]!)
    later.push(visits.at(-1)!)
    plain.push(plainMs)
  }
  return [
    { title: 'board: first visit, to its cards', unit: 'ms', values: first, target: TARGET_MS },
    { title: 'board: later visit, to its cards', unit: 'ms', values: later, target: TARGET_MS },
    { title: 'static page: to as many cards', unit: 'ms', values: plain },
    {
      title: 'board: first visit, of the static page',
      unit: '',
      digits: 1,
      values: first.map((ms, index) => ms / plain[index]!),
    },
    {
      title: 'board: later visit, of the static page',
      unit: '',
      digits: 1,
      values: later.map((ms, index) => ms / plain[index]!),
    },
  ]
}

/** Returns the milliseconds from the start of the navigation until the cards are painted. */
export async function loadBoard(tab: Tab): Promise<number> {
  await tab.open('/deals')
  return tab.evaluate<number>(`probe.waitForElements('${CARD}', ${SHOWN_CARDS})`)
}

/** The page comes from the same origin. Only its own address is intercepted. */
async function loadPlainBoard(browser: ConsoleBrowser, { base, boardPath }: ConsoleFixture): Promise<number> {
  const tab = await browser.openTab()
  try {
    const token = await requestToken(tab, base)
    const script = `${readPageScript('plain-board.ts')}\nshowBoard('${boardPath}?limit=50', '${token}')`
    const body = `<!doctype html><html lang="en"><title>Board</title><body><script>${script}</script></body></html>`
    tab.devtools.on('Fetch.requestPaused', ({ requestId }) =>
      tab.devtools.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }],
        body: Buffer.from(body).toString('base64'),
      }),
    )
    await tab.devtools.send('Fetch.enable', { patterns: [{ urlPattern: `*${PLAIN_PATH}` }] })
    await tab.page.goto(`${base}${PLAIN_PATH}`, { waitUntil: 'commit' })
    return await tab.evaluate<number>(`probe.waitForElements('${CARD}', ${SHOWN_CARDS})`)
  } finally {
    await tab.close()
  }
}

async function requestToken({ page }: Tab, base: string): Promise<string> {
  const response = await page.request.post(`${base}/session/token`, {
    data: {},
    headers: { Origin: base, 'Sec-Fetch-Site': 'same-origin' },
  })
  const { data } = (await response.json()) as { readonly data: { readonly access_token: string } }
  return data.access_token
}
