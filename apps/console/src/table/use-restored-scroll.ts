import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

const positions = new Map<string, number>()

/** Scrolls to where the list of this address was left. */
export function useRestoredScroll(scroller: RefObject<HTMLElement | null>, isLoaded: boolean): void {
  useEffect(() => {
    const element = scroller.current
    if (!isLoaded || !element) return
    const key = location.pathname + location.search
    element.scrollTop = positions.get(key) ?? 0
    const remember = () => positions.set(key, element.scrollTop)
    element.addEventListener('scroll', remember, { passive: true })
    return () => element.removeEventListener('scroll', remember)
  }, [isLoaded])
}
