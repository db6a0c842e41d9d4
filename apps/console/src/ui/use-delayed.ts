import { useEffect, useState } from 'preact/hooks'

/** Becomes true after a while, so that what loads quickly shows nothing in between. */
export function useDelayed(delayMs: number): boolean {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return isDue
}
