import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import type { ActionRecord } from '../records/edit-records.ts'
import { type CreatableKind, recordName } from '../records/kinds.ts'
import { countLinks, LINKED_KINDS } from '../records/linked/count-links.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import text from '../ui/text.module.css'

interface DeletionDialogProps {
  readonly kind: CreatableKind
  readonly records: readonly ActionRecord[]
  readonly confirm: () => void
  readonly close: () => void
}

/** Asks before what cannot be undone. The safe button has the focus. */
export function DeletionDialog({ kind, records, confirm, close }: DeletionDialogProps) {
  const { texts } = useConsole()
  const [record] = records
  const isOne = records.length === 1 && record !== undefined
  return (
    <Dialog
      role="alertdialog"
      title={isOne ? texts.record.deleteTitle(recordName(record)) : texts.tables.deleteTitle(records.length)}
      close={close}
    >
      {isOne && <Links kind={kind} id={record.id} />}
      <p class={text.soft}>{isOne ? texts.record.deleteText : texts.record.deleteTextMany}</p>
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

/** How many records are linked with the one that is deleted. */
function Links({ kind, id }: { readonly kind: CreatableKind; readonly id: string }) {
  const { crm, texts } = useConsole()
  const { data: counts = {} } = useQuery({
    queryKey: ['links', kind, id],
    queryFn: async ({ signal }) => await countLinks(crm, kind, id, signal),
  })
  const shown = LINKED_KINDS.flatMap((linked) => {
    const count = counts[linked] ?? 0
    return count > 0 ? [texts.record.recordCounts[linked](count)] : []
  })
  return <p role="status">{shown.length > 0 && texts.record.deleteLinked(shown.join(', '))}</p>
}
