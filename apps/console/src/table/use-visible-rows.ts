import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { announce } from '../ui/live-region.tsx'
import type { GroupedRows } from './groups/use-groups.ts'
import type { RowsSource } from './list-source.ts'
import { useRestoredScroll } from './use-restored-scroll.ts'
import { useRows } from './use-rows.ts'

const ROW_PX = { fine: 36, coarse: 48 }
/** Until the rows are there, as many are shown as empty ones. */
const MAX_SKELETON_ROWS = 12
/** Rows that are drawn beyond the visible ones. */
const OVERSCAN = 12
/** A count is announced when it has not changed for this long. */
const QUIET_MS = 500

/** The rows that are scrolled into view, and the space that the others take. */
export function useVisibleRows<Row>(source: RowsSource<Row>, groups: GroupedRows<Row> | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const rows = useRows(source, groups, range.first, range.last)
  const { total, lines, isLoaded } = rows
  const isCoarse = matchMedia('(pointer: coarse), (max-width: 40rem)').matches
  const virtualizer = useVirtualizer({
    count: isLoaded ? lines.count : MAX_SKELETON_ROWS,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isCoarse ? ROW_PX.coarse : ROW_PX.fine),
    overscan: OVERSCAN,
  })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => setRange({ first, last }), [first, last])
  useRestoredScroll(scroller, isLoaded)
  useCountAnnouncement(isLoaded ? total : undefined)
  return {
    ...rows,
    scroller,
    items,
    /** Heights in pixels of the space before and after the items. */
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
    scrollTo: (index: number) => virtualizer.scrollToIndex(index),
  }
}

/** Says how many were found. @param total undefined until it is known */
function useCountAnnouncement(total: number | undefined): void {
  const { texts } = useConsole()
  useEffect(() => {
    if (total === undefined) return
    const timer = setTimeout(() => announce(texts.tables.found(total)), QUIET_MS)
    return () => clearTimeout(timer)
  }, [total])
}
