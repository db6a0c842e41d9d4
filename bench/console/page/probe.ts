/**
 * Measures inside the page. The scripts of this folder are stripped of their types and run as classic scripts before
 * those of the page. Times are milliseconds since the start of the navigation.
 */

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

/** Returns the compressed bytes of the scripts and styles that were requested before the elements were inserted. */
function loadedBytes(): number {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return files
    .filter(({ name, startTime }) => startTime < insertedAt && /\.(js|css)$/.test(new URL(name).pathname))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
}

Object.assign(globalThis, { probe: { waitForElements, longTasksBetween, loadedBytes } })
