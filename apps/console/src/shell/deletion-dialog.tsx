import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import text from '../ui/text.module.css'

interface DeletionDialogProps {
  /** The names of the records. */
  readonly names: readonly string[]
  readonly confirm: () => void
  readonly close: () => void
}

/** Asks before what cannot be undone. The safe button has the focus. */
export function DeletionDialog({ names, confirm, close }: DeletionDialogProps) {
  const { texts } = useConsole()
  const [name] = names
  const isOne = names.length === 1 && name !== undefined
  return (
    <Dialog
      role="alertdialog"
      title={isOne ? texts.record.deleteTitle(name) : texts.tables.deleteTitle(names.length)}
      close={close}
    >
      <p class={text.soft}>{texts.record.deleteText}</p>
      <DialogActions>
        <Button autoFocus onClick={close}>
          {isOne ? texts.actions.keep : texts.actions.keepAll}
        </Button>
        <Button
          look="risky"
          onClick={() => {
            close()
            confirm()
          }}
        >
          {texts.actions.deleteNow}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
