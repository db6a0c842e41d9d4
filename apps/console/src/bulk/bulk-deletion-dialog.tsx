import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import text from '../ui/text.module.css'
import styles from './bulk-deletion-dialog.module.css'

interface BulkDeletionDialogProps {
  readonly total: number
  readonly confirm: () => void
  readonly close: () => void
}

/** Asks before all records that match are deleted, and for their number. */
export function BulkDeletionDialog({ total, confirm, close }: BulkDeletionDialogProps) {
  const { texts } = useConsole()
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  function submit(event: Event): void {
    event.preventDefault()
    if (typed.replaceAll(/\D/g, '') === String(total)) {
      close()
      confirm()
    } else setIsWrong(true)
  }
  return (
    <Dialog role="alertdialog" title={texts.tables.deleteTitle(total)} close={close}>
      <form class={styles.form} onSubmit={submit}>
        <p class={text.soft}>{texts.record.deleteTextMany}</p>
        <Field label={texts.bulk.typeNumber(total)} error={isWrong ? texts.bulk.wrongNumber : undefined}>
          {(ids) => <Input {...ids} autoFocus inputMode="numeric" value={typed} change={setTyped} />}
        </Field>
        <DialogActions>
          <Button onClick={close}>{texts.actions.keepAll}</Button>
          <Button look="risky" type="submit">
            {texts.actions.deleteNow}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
