import { useEffect, useRef } from 'preact/hooks'
import text from './text.module.css'

let speak: ((words: string) => void) | undefined

/** Tells screen readers what has changed on the page. */
export function announce(words: string): void {
  speak?.(words)
}

export function LiveRegion() {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    speak = (words) => {
      if (region.current) region.current.textContent = words
    }
    return () => {
      speak = undefined
    }
  }, [])
  return <div ref={region} class={text.hidden} role="status" aria-live="polite" />
}
