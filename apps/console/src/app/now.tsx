import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

const MINUTE_MS = 60_000

const NowContext = createContext(new Date())

/** Renews the present time every minute, so that a page that stays open shows what has become late. */
export function NowProvider({ children }: { readonly children: ComponentChildren }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return <NowContext.Provider value={now}>{children}</NowContext.Provider>
}

/** The present time, to the minute. */
export function useNow(): Date {
  return useContext(NowContext)
}
