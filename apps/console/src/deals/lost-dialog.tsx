import type { Deal, DealListItem, StageReference } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Textarea } from '../ui/field.tsx'
import { useDealMoves } from './use-deal-changes.ts'

interface LostDialogProps {
  readonly deal: Deal | DealListItem
  readonly stage: StageReference
  readonly close: () => void
}

/** Asks why a deal was lost. The note may be left out. */
export function LostDialog({ deal, stage, close }: LostDialogProps) {
  const { texts } = useConsole()
  const { lose } = useDealMoves()
  const [note, setNote] = useState('')
  const submit = () => {
    lose(deal, stage, note)
    close()
  }
  return (
    <Dialog title={deal.name} close={close}>
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
