import { useEffect } from 'preact/hooks'
import { useLatest } from '../keyboard/use-latest.ts'
import type { MenuGroup } from '../ui/menu.tsx'
import { useShell } from './shell-context.ts'

/** The record that has the focus, or whose page is open: the palette offers its actions. */
export interface RecordAtHand {
  readonly name: string
  readonly menu: readonly MenuGroup[]
}

/** Offers the actions of a record in the palette while the component is shown. */
export function useRecordAtHand(find: () => RecordAtHand | undefined): void {
  const { setRecordAtHand } = useShell()
  const findNow = useLatest(find)
  useEffect(() => {
    setRecordAtHand(findNow)
    return () => setRecordAtHand(undefined)
  }, [])
}
