import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { DragListener, ListenerRef } from './drag-listener.ts'
import type { DragSurface } from './drag-surface.ts'

/**
 * Moves elements by mouse and touch. Returns the reference of their root.
 * @param load loads what it needs once the page is shown. It must not change.
 */
export function useDragSurface<Root extends HTMLElement>(
  listener: DragListener,
  load: () => Promise<(root: HTMLElement, listener: ListenerRef) => DragSurface>,
): RefObject<Root | null> {
  const rootRef = useRef<Root>(null)
  const listenerRef = useRef(listener)
  listenerRef.current = listener
  useEffect(() => {
    let surface: DragSurface | undefined
    let isGone = false
    void load().then((create) => {
      if (!isGone && rootRef.current) surface = create(rootRef.current, listenerRef)
    })
    return () => {
      isGone = true
      surface?.stop()
    }
  }, [])
  return rootRef
}
