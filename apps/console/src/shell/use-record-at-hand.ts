import { useEffect } from 'preact/hooks'
import { useLatest } from '../keyboard/use-latest.ts'
import { type RecordAtHand, useShell } from './shell-context.ts'

/** Offers the actions of a record in the palette while the component is shown. */
export function useRecordAtHand(find: () => RecordAtHand | undefined): void {
  const { setRecordAtHand } = useShell()
  const findNow = useLatest(find)
  useEffect(() => {
    setRecordAtHand(findNow)
    return () => setRecordAtHand(undefined)
  }, [])
}
