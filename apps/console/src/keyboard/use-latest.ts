import { useCallback, useRef } from 'preact/hooks'

/** A function that stays the same and calls the latest one, so that what receives it is not drawn again. */
export function useLatest<Arguments extends readonly unknown[], Result>(
  latest: (...values: Arguments) => Result,
): (...values: Arguments) => Result {
  const ref = useRef(latest)
  ref.current = latest
  return useCallback((...values: Arguments) => ref.current(...values), [])
}
