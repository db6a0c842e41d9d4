import { useEffect, useRef } from 'preact/hooks'

/** The event of a handler that runs before that of Base UI. */
interface FirstKeyboardEvent extends KeyboardEvent {
  preventBaseUIHandler?(): void
}

/**
 * Holds back an Enter in a field whose choices are those of an earlier text, and repeats it once the choices of the
 * text have come: it would choose what was found for the first letters. An arrow key before it chooses among what is
 * drawn, and any other key drops it.
 * @returns a handler of `keydown`; true if it has taken the key
 */
export function useHeldEnter(isSeeking: boolean): (event: FirstKeyboardEvent) => boolean {
  const held = useRef<KeyboardEvent>(undefined)
  const hasMoved = useRef(false)
  useEffect(() => {
    const event = held.current
    if (isSeeking || !event) return
    held.current = undefined
    event.target?.dispatchEvent(new KeyboardEvent(event.type, event))
  }, [isSeeking])
  return (event) => {
    held.current = undefined
    if (event.key !== 'Enter') {
      hasMoved.current = event.key === 'ArrowDown' || event.key === 'ArrowUp'
      return false
    }
    if (!isSeeking || hasMoved.current) return false
    event.preventDefault()
    event.stopPropagation()
    event.preventBaseUIHandler?.()
    held.current = event
    return true
  }
}
