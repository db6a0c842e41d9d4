import { useConsole } from '../app/console-context.ts'
import { removeRecords } from '../cache/map-records.ts'
import { changeCache } from '../cache/optimistic-change.ts'
import { useChange } from '../cache/use-change.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import text from '../ui/text.module.css'

export interface Deletion {
  readonly kind: CreatableKind
  readonly id: string
  readonly name: string
  readonly onDeleted?: (() => void) | undefined
}

/** Asks before what cannot be undone. The safe button has the focus. */
export function DeletionDialog({
  deletion,
  close,
}: {
  readonly deletion: Deletion
  readonly close: () => void
}) {
  const { crm, texts } = useConsole()
  const change = useChange()
  const { kind, id, name, onDeleted } = deletion
  const confirm = () => {
    close()
    change({
      send: () => crm[kind].delete(id),
      ...(!onDeleted && { show: (client) => changeCache(client, (data) => removeRecords(data, id)) }),
      done: texts.record.deleted(name),
      onDone: () => onDeleted?.(),
    })
  }
  return (
    <Dialog role="alertdialog" title={texts.record.deleteTitle(name)} close={close}>
      <p class={text.soft}>{texts.record.deleteText}</p>
      <DialogActions>
        <Button autoFocus onClick={close}>
          {texts.actions.keep}
        </Button>
        <Button look="risky" onClick={confirm}>
          {texts.actions.deleteNow}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
