import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import type { CreateDefaults } from '../create/create-defaults.ts'
import { useLatest } from '../keyboard/use-latest.ts'
import type { ActionRecord } from '../records/edit-records.ts'
import type { CreatableKind } from '../records/kinds.ts'
import type { MenuGroup } from '../ui/menu.tsx'

/** The record that has the focus, or whose page is open: the palette offers its actions. */
export interface RecordAtHand {
  readonly name: string
  readonly menu: readonly MenuGroup[]
  /** What is created for it begins with these. */
  readonly defaults: CreateDefaults
}

/** The dialogs that every page can open. */
export interface Shell {
  /** Shows a dialog in place of the one that is open. */
  show(dialog: (close: () => void) => ComponentChildren): void
  openCreate(kind: CreatableKind, defaults?: CreateDefaults): void
  /** Creates a record for the page that is shown, and for the record at hand. */
  openCreateAtHand(kind: CreatableKind, name?: string): void
  openPalette(): void
  openShortcuts(): void
  openNotifications(): void
  /** Asks before records are deleted. */
  confirmDeletion(kind: CreatableKind, records: readonly ActionRecord[], confirm: () => void): void
  /** Sets what is created from the page that is shown begins with; undefined for nothing. */
  setPlaceDefaults(find: (() => CreateDefaults) | undefined): void
  /** Sets what the palette acts on; undefined for nothing. */
  setRecordAtHand(find: (() => RecordAtHand | undefined) | undefined): void
}

export const ShellContext = createContext<Shell | undefined>(undefined)

export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('useShell needs a ShellContext.')
  return shell
}

/** Begins what is created from anywhere with the links of this page, while the component is shown. */
export function usePlaceDefaults(defaults: CreateDefaults): void {
  const { setPlaceDefaults } = useShell()
  const defaultsNow = useLatest(() => defaults)
  useEffect(() => {
    setPlaceDefaults(defaultsNow)
    return () => setPlaceDefaults(undefined)
  }, [])
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
