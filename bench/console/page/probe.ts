/**
 * Measures inside the page. The scripts of this folder are stripped of their types and run as classic scripts before
 * those of the page. Times are milliseconds since the start of the navigation.
 */

export interface KeyTimes {
  /** From each key to the end of the frame with its letter. */
  readonly delays: readonly number[]
}

export interface DragFrames {
  /** From the oldest unpainted pointer event of each frame to the end of that frame. */
  readonly delays: readonly number[]
  /** Frames at whose end the card was not at the pointer. */
  readonly lateFrames: number
  readonly frames: number
}

export interface TableFrames {
  /** From the last scroll event to the end of the first frame without a missing row. */
  readonly settledMs: number
  /** The largest share of the visible rows that were missing at the end of a frame, in percent. */
  readonly mostMissing: number
  /** Frames with more than half of the visible rows missing. */
  readonly halfMissingFrames: number
  readonly frames: number
}

export interface FileSizes {
  /** Bytes of the compressed bodies of scripts and styles. */
  readonly script: number
  readonly style: number
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

/** Resolves at the end of the first frame with as many elements. */
async function waitForElements(selector: string, count: number): Promise<number> {
  const deadline = performance.now() + ELEMENTS_TIMEOUT_MS
  for (;;) {
    // In a callback of the frame: what is there is painted at its end.
    const isThere = await new Promise<boolean>((resolve) =>
      requestAnimationFrame(() => resolve(document.querySelectorAll(selector).length >= count)),
    )
    if (isThere) return waitForPaint()
    if (performance.now() > deadline) throw new Error(`There are not ${count} of ${selector}.`)
  }
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

function watchKeys(): () => KeyTimes {
  const delays: number[] = []
  let pressedAt = 0
  const onKey = ({ timeStamp }: Event) => {
    pressedAt = timeStamp
  }
  const onInput = () => {
    const at = pressedAt
    void waitForPaint().then((now) => delays.push(now - at))
  }
  addEventListener('keydown', onKey, true)
  addEventListener('input', onInput, true)
  return () => {
    removeEventListener('keydown', onKey, true)
    removeEventListener('input', onInput, true)
    return { delays }
  }
}

/** The lifted card is tilted, so its middle is compared with the pointer. */
const MAX_DISTANCE_PX = 3

function watchDrag(selector: string): () => DragFrames {
  const delays: number[] = []
  let [frames, lateFrames] = [0, 0]
  let oldest: number | undefined
  let pointer: { readonly x: number; readonly y: number } | undefined
  let offset: { readonly x: number; readonly y: number } | undefined
  const onMove = (event: PointerEvent) => {
    oldest ??= event.timeStamp
    pointer = { x: event.clientX, y: event.clientY }
  }
  addEventListener('pointermove', onMove, true)
  const stop = watchFrames((now) => {
    const card = document.querySelector(selector)
    if (!card || !pointer || oldest === undefined) return
    const { left, top, width, height } = card.getBoundingClientRect()
    const distance = { x: left + width / 2 - pointer.x, y: top + height / 2 - pointer.y }
    delays.push(now - oldest)
    oldest = undefined
    // The first frame says where the card was taken hold of.
    offset ??= distance
    frames += 1
    if (Math.hypot(distance.x - offset.x, distance.y - offset.y) > MAX_DISTANCE_PX) lateFrames += 1
  })
  return () => {
    stop()
    removeEventListener('pointermove', onMove, true)
    return { delays, lateFrames, frames }
  }
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
  let [mostMissing, halfMissingFrames, frames] = [0, 0, 0]
  const onScroll = () => {
    scrolledAt = performance.now()
    settledAt = undefined
  }
  scroller.addEventListener('scroll', onScroll)
  const stop = watchFrames((now) => {
    const missing = missingShare(scroller, row)
    frames += 1
    mostMissing = Math.max(mostMissing, missing)
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
    return {
      settledMs: Math.max(0, settledAt - scrolledAt),
      mostMissing: mostMissing * 100,
      halfMissingFrames,
      frames,
    }
  }
}

/** Moves to a share of the length, as a press on the scroll bar does. */
async function scrollToShare(scroller: Element, share: number): Promise<void> {
  scroller.scrollTop = share * scroller.scrollHeight
  await waitForPaint()
}

/** Moves evenly between two shares of the length, with each frame. */
async function dragScrollBar(scroller: Element, from: number, to: number, frames: number): Promise<void> {
  for (let frame = 0; frame <= frames; frame += 1)
    await scrollToShare(scroller, from + ((to - from) * frame) / frames)
}

/** @param until only files requested before are counted */
function fileSizes(until: number): FileSizes {
  const files = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ startTime }) => startTime < until,
  )
  const sizeOf = (ending: string) =>
    files
      .filter(({ name }) => new URL(name).pathname.endsWith(ending))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  return { script: sizeOf('.js'), style: sizeOf('.css') }
}

Object.assign(globalThis, {
  probe: {
    waitForPaint,
    waitForElements,
    longTasksBetween,
    watchKeys,
    watchDrag,
    watchTable,
    scrollToShare,
    dragScrollBar,
    fileSizes,
  },
})
