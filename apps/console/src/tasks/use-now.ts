import { useEffect, useState } from 'preact/hooks'

const MINUTE_MS = 60_000

/** The present time, renewed every minute, so that a page that stays open shows what has become late. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
