import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'preact/compat'
import { useConsole } from '../app/console-context.ts'
import { Notice } from '../ui/notice.tsx'

/** Says when the browser is offline: changes wait until it is not. */
export function ConnectionNotice() {
  const { texts } = useConsole()
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  return isOnline ? null : <Notice kind="caution">{texts.faults.offline}</Notice>
}
