import type { ComponentChildren } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import styles from './confirm-dialog.module.css'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly confirmLabel: string
  readonly confirm: () => void
  readonly close: () => void
  /** A field that belongs to the question. */
  readonly choice?: ComponentChildren
  readonly isBusy?: boolean
  /** Why the service refused it. */
  readonly error?: ComponentChildren
}

/** Asks before what cannot be undone. The safe button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, confirm, close, choice, isBusy = false, error } = props
  const { texts } = useConsole()
  return (
    <Dialog role="alertdialog" title={title} close={close}>
      {error ? <Notice kind="error">{error}</Notice> : <p class={text.soft}>{children}</p>}
      {!error && choice && <div class={styles.choice}>{choice}</div>}
      <DialogActions>
        <Button autoFocus onClick={close}>
          {texts.actions.keep}
        </Button>
        {!error && (
          <Button look="risky" aria-busy={isBusy} onClick={() => isBusy || confirm()}>
            {confirmLabel}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
