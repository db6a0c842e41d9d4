import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import text from '../../ui/text.module.css'
import { useImportTexts } from '../texts/texts.ts'
import type { RunStart } from './use-run-start.ts'

/** Asks whether webhooks shall get very many events. */
export function DeliveriesDialog({ start }: { readonly start: RunStart }) {
  const { texts: shared } = useConsole()
  const { check } = useImportTexts()
  return (
    <Dialog title={check.manyDeliveries} close={start.close}>
      <p class={text.soft}>{check.manyDeliveriesText}</p>
      <DialogActions>
        <Button onClick={start.close}>{shared.actions.cancel}</Button>
        <Button onClick={() => start.run({ confirm_deliveries: true })}>{check.confirmDeliveries}</Button>
        <Button look="main" autoFocus onClick={start.runWithSummary}>
          {check.oneEvent}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
