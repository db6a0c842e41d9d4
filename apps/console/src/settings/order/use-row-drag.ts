import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { RowDragListener } from './row-drag.ts'

/** Moves the rows of a list by mouse and touch. What it needs is loaded once the list is shown. */
export function useRowDrag(
  list: RefObject<HTMLElement | null>,
  listener: { readonly current: RowDragListener | null },
): void {
  useEffect(() => {
    let stop = () => {}
    let isGone = false
    void import('./row-drag.ts').then(({ startRowDrag }) => {
      const element = list.current
      if (!isGone && element) stop = startRowDrag(element, listener)
    })
    return () => {
      isGone = true
      stop()
    }
  }, [list, listener])
}
