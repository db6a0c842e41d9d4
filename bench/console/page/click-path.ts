/** A path through the pages of the console, clicked without pauses. */

const CLICK_TIMEOUT_MS = 10_000
const POLL_MS = 5
const KEY_DELAY_MS = 50

async function clickThrough(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await clickLink('nav a[href$="/deals"]', '[data-deal] h3 a')
    await clickLink('[data-deal] h3 a', 'main h1', '[data-deal]')
    history.back()
    await findElement('[data-deal] h3 a')
    await clickLink('nav a[href$="/people"]', 'tr[data-row] a')
    await clickLink('tr[data-row] a', 'main h1', 'tr[data-row]')
    await openAndClosePalette()
    await clickLink(
      'nav a[href$="/w/bench"], nav a[href$="/w/bench/"]',
      'main [aria-pressed]',
      'tr[data-row]',
    )
  }
}

/** Clicks the first link, and waits until an element is there and another is gone. */
async function clickLink(link: string, shown: string, gone?: string): Promise<void> {
  const element = await findElement(link)
  element.click()
  if (gone !== undefined) await waitUntil(() => document.querySelector(gone) === null, `${gone} to go`)
  await findElement(shown)
}

async function openAndClosePalette(): Promise<void> {
  ;(await findElement('nav button[aria-haspopup=dialog]')).click()
  const input = await findElement('[role=dialog] [role=combobox]')
  await waitUntil(() => document.activeElement === input, 'the palette to have the focus')
  // Effects that listen to keys run after the frame.
  await new Promise((resolve) => setTimeout(resolve, KEY_DELAY_MS))
  pressKey('Escape', input)
  await waitUntil(() => document.querySelector('[role=dialog]') === null, 'the palette to close')
}

function pressKey(key: string, target: HTMLElement): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }))
}

async function findElement(selector: string): Promise<HTMLElement> {
  await waitUntil(() => document.querySelector(selector) !== null, selector)
  return document.querySelector<HTMLElement>(selector)!
}

async function waitUntil(isDone: () => boolean, subject: string): Promise<void> {
  const deadline = performance.now() + CLICK_TIMEOUT_MS
  while (!isDone()) {
    if (performance.now() > deadline)
      throw new Error(`Waited in vain for ${subject} at ${location.pathname}.`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

Object.assign(globalThis, { clickThrough })
