import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Textarea } from '../ui/field.tsx'

interface LostDialogProps {
  /** The name of the deal, or the number of them. */
  readonly subject: string
  readonly lose: (note: string) => void
  readonly close: () => void
}

/** Asks why a deal was lost. The note may be left out. */
export function LostDialog({ subject, lose, close }: LostDialogProps) {
  const { texts } = useConsole()
  const [note, setNote] = useState('')
  const submit = () => {
    close()
    lose(note)
  }
  return (
    <Dialog title={subject} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label={texts.deals.whyLost} hint={texts.deals.whyLostHint}>
          {(ids) => (
            <Textarea
              {...ids}
              rows={3}
              maxLength={5000}
              value={note}
              change={(value) => setNote(value)}
              onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && submit()}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={close}>{texts.actions.cancel}</Button>
          <Button look="main" type="submit">
            {texts.deals.saveLost}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
