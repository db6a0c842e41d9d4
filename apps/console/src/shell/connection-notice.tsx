import { onlineManager, useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useSyncExternalStore } from 'preact/compat'
import { useConsole } from '../app/console-context.ts'
import { Notice } from '../ui/notice.tsx'
import { useDelayed } from '../ui/use-delayed.ts'

const SLOW_MS = 3000

/** Says when the browser is offline, and when the service has not answered for a while. */
export function ConnectionNotice() {
  const { texts } = useConsole()
  const calls = useIsFetching() + useIsMutating()
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  if (!isOnline) return <Notice kind="caution">{texts.faults.offline}</Notice>
  return calls > 0 ? <SlowNotice /> : null
}

function SlowNotice() {
  const { texts } = useConsole()
  return useDelayed(SLOW_MS) ? <Notice kind="caution">{texts.faults.slow}</Notice> : null
}
