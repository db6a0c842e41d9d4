import { onlineManager, useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useSyncExternalStore } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Notice } from '../ui/notice.tsx'
import { useDelayed } from '../ui/use-delayed.ts'

const SLOW_MS = 3000

/** Says when the browser is offline, and when the service has not answered for a while. */
export function ConnectionNotice() {
  const { texts } = useConsole()
  const changes = useIsMutating()
  const calls = useIsFetching() + changes
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  if (isOnline) return calls > 0 ? <SlowNotice hasChanges={changes > 0} /> : null
  return (
    <>
      <Notice kind="caution">{texts.errors.offline}</Notice>
      {changes > 0 && <LeaveGuard />}
    </>
  )
}

function SlowNotice({ hasChanges }: { readonly hasChanges: boolean }) {
  const { texts } = useConsole()
  if (!useDelayed(SLOW_MS)) return null
  return (
    <>
      <Notice kind="caution">{texts.errors.slow}</Notice>
      {hasChanges && <LeaveGuard />}
    </>
  )
}

/** Lets the browser ask before it closes a page whose changes have not been answered: they are lost with it. */
function LeaveGuard() {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return null
}
