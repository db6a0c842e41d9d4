import { useEffect, useState } from 'preact/hooks'

const GAP = 6
const WIDTH = 368
/** The height of a menu of a few members, with its head and its foot. */
const ROOM = 260

interface Caret {
  readonly left: number
  readonly top: number
  readonly bottom: number
}

/** Where a menu stands: at the caret, below it if there is room; on phones at the top of the keyboard. In pixels. */
export function placeMenu({ left, top, bottom }: Caret, isNarrow: boolean): Readonly<Record<string, string>> {
  const { innerHeight, innerWidth, visualViewport } = window
  if (isNarrow) {
    const visible = visualViewport ? visualViewport.height + visualViewport.offsetTop : innerHeight
    return { bottom: `${innerHeight - visible}px` }
  }
  const start = `${Math.max(GAP, Math.min(left, innerWidth - WIDTH - GAP))}px`
  const hasRoom = bottom + ROOM < innerHeight || top < ROOM
  return {
    left: start,
    ...(hasRoom ? { top: `${bottom + GAP}px` } : { bottom: `${innerHeight - top + GAP}px` }),
  }
}

/** Renders again when the page is scrolled, or a keyboard comes. */
export function useViewportChanges(isActive: boolean): void {
  const [, redraw] = useState(0)
  useEffect(() => {
    if (!isActive) return
    const update = () => redraw((count) => count + 1)
    const { visualViewport } = window
    window.addEventListener('scroll', update, { capture: true, passive: true })
    window.addEventListener('resize', update)
    visualViewport?.addEventListener('resize', update)
    return () => {
      window.removeEventListener('scroll', update, { capture: true })
      window.removeEventListener('resize', update)
      visualViewport?.removeEventListener('resize', update)
    }
  }, [isActive])
}
