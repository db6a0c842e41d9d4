import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { CreateDefaults } from '../create/create-defaults.ts'
import type { CreatableKind } from '../records/kinds.ts'

/** The dialogs that every page can open. */
export interface Shell {
  openCreate(kind: CreatableKind, defaults?: CreateDefaults): void
  openPalette(): void
  openShortcuts(): void
  /** Asks before a record is deleted. `onDeleted` runs when the service has confirmed it. */
  confirmDeletion(kind: CreatableKind, id: string, name: string, onDeleted?: () => void): void
}

export const ShellContext = createContext<Shell | undefined>(undefined)

export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('useShell needs a ShellContext.')
  return shell
}
