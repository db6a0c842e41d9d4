/**
 * Measures inside the page. The scripts of this folder are stripped of their types and run as classic scripts before
 * those of the page. Times are milliseconds since the start of the navigation.
 */

export interface TableFrames {
  /** From the last scroll event to the end of the first frame without a missing row. */
  readonly settledMs: number
  /** Frames with more than half of the visible rows missing. */
  readonly halfMissingFrames: number
}

/** Resolves after the main thread has handed the next frame over to be painted. */
function waitForPaint(): Promise<number> {
  return new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(undefined)
    }),
  )
}

/** Calls `onFrame` at the end of each frame until it is stopped. */
function watchFrames(onFrame: (now: number) => void): () => void {
  let isRunning = true
  const next = async () => {
    while (isRunning) onFrame(await waitForPaint())
  }
  void next()
  return () => {
    isRunning = false
  }
}

const ELEMENTS_TIMEOUT_MS = 30_000

/** When the elements of the last `waitForElements` were inserted. */
let insertedAt = 0

/** Resolves at the end of the first frame with as many elements. */
async function waitForElements(selector: string, count: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`There are not ${count} of ${selector}.`)),
      ELEMENTS_TIMEOUT_MS,
    )
    const check = () => {
      if (document.querySelectorAll(selector).length < count) return
      observer.disconnect()
      clearTimeout(timer)
      resolve()
    }
    const observer = new MutationObserver(check)
    observer.observe(document, { childList: true, subtree: true })
    check()
  })
  insertedAt = performance.now()
  return waitForPaint()
}

const longTasks: { readonly start: number; readonly duration: number }[] = []
const longTaskObserver = new PerformanceObserver((list) => collectLongTasks(list.getEntries()))
longTaskObserver.observe({ type: 'longtask', buffered: true })

function collectLongTasks(entries: readonly PerformanceEntry[]): void {
  for (const { startTime, duration } of entries) longTasks.push({ start: startTime, duration })
}

/** Returns the durations of the tasks over 50 ms that began in a period. */
function longTasksBetween(from: number, to: number): number[] {
  collectLongTasks(longTaskObserver.takeRecords())
  return longTasks.filter(({ start }) => start >= from && start < to).map(({ duration }) => duration)
}

/** The share of the rows between the head, whose cells are sticky, and the foot of the scroller that are missing or placeholders. */
function missingShare(scroller: Element, row: string): number {
  const frame = scroller.getBoundingClientRect()
  const head = scroller.querySelector('thead th')?.getBoundingClientRect().bottom ?? frame.top
  const shown = [...scroller.querySelectorAll(row)].reduce((sum, each) => {
    const { top, bottom } = each.getBoundingClientRect()
    return sum + Math.max(0, Math.min(bottom, frame.bottom) - Math.max(top, head))
  }, 0)
  return Math.max(0, 1 - shown / (frame.bottom - head))
}

/** Less than a row: borders and rounding. */
const NONE_MISSING = 0.02

function watchTable(scroller: Element, row: string): () => Promise<TableFrames> {
  let scrolledAt = performance.now()
  let settledAt: number | undefined
  let halfMissingFrames = 0
  const onScroll = () => {
    scrolledAt = performance.now()
    settledAt = undefined
  }
  scroller.addEventListener('scroll', onScroll)
  const stop = watchFrames((now) => {
    const missing = missingShare(scroller, row)
    if (missing > 0.5) halfMissingFrames += 1
    if (missing > NONE_MISSING) settledAt = undefined
    else settledAt ??= now
  })
  return async () => {
    const deadline = performance.now() + ELEMENTS_TIMEOUT_MS
    while (settledAt === undefined) {
      await waitForPaint()
      if (performance.now() > deadline) throw new Error('Rows of the table are missing.')
    }
    stop()
    scroller.removeEventListener('scroll', onScroll)
    return { settledMs: Math.max(0, settledAt - scrolledAt), halfMissingFrames }
  }
}

/** Moves to a share of the length, as a press on the scroll bar does. */
async function scrollToShare(scroller: Element, share: number): Promise<void> {
  scroller.scrollTop = share * scroller.scrollHeight
  await waitForPaint()
}

/** Returns the compressed bytes of the scripts and styles that were requested before the elements were inserted. */
function loadedBytes(): number {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return files
    .filter(({ name, startTime }) => startTime < insertedAt && /\.(js|css)$/.test(new URL(name).pathname))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
}

Object.assign(globalThis, {
  probe: { waitForElements, longTasksBetween, watchTable, scrollToShare, loadedBytes },
})
