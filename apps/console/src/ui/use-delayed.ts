import { useEffect, useState } from 'preact/hooks'

/** True after a while: what loads quickly needs no placeholder. */
export function useDelayed(delayMs: number): boolean {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return isDue
}
