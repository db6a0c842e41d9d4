import { useRef, useState } from 'preact/hooks'

/**
 * What the keys act on: state that is drawn, whose present value handlers read from `ref`. Two keys may be pressed
 * before anything is drawn.
 */
export function useFocusRef<T>() {
  const [value, setValue] = useState<T>()
  const ref = useRef(value)
  return {
    value,
    ref,
    set(next: T | undefined): void {
      ref.current = next
      setValue(next)
    },
  }
}
