import type { ComponentChildren } from 'preact'
import { useSettingsTexts } from '../texts.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useDeletion } from './use-deletion.ts'

interface DeletionQuestionProps {
  readonly id: string
  readonly name: string
  /** What becomes of what depends on it. */
  readonly children: ComponentChildren
  readonly send: () => Promise<void>
  readonly onDone: () => void
  readonly close: () => void
}

/** Asks before something of the settings is deleted, and says why the service refuses it. */
export function DeletionQuestion({ id, name, children, send, onDone, close }: DeletionQuestionProps) {
  const settings = useSettingsTexts()
  const { run, isBusy, error } = useDeletion({ id, send, done: settings.deleted(name), onDone })
  return (
    <ConfirmDialog
      title={settings.deleteTitle(name)}
      confirmLabel={settings.deleteNow}
      confirm={run}
      close={close}
      isBusy={isBusy}
      error={error}
    >
      {children}
    </ConfirmDialog>
  )
}
