import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

const FIRST_WIDTH = 480
const MIN_WIDTH = 160

/**
 * Measures the room of a chart in sixteenths of a rem, so that its text keeps its size on narrow screens and grows with
 * the text of the page.
 */
export function useChartWidth(): readonly [RefObject<HTMLDivElement | null>, number] {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => {
      const unit = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
      setWidth(Math.max(MIN_WIDTH, Math.round(element.clientWidth / unit)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, width]
}
