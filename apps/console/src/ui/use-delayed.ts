import { useEffect, useState } from 'preact/hooks'

/** True once delayMs have passed: a placeholder that appears at once would flicker on quick loads. */
export function useDelayed(delayMs: number): boolean {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return isDue
}
