import { useEffect } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainReadOnly } from '../app/permissions.ts'
import { defaultsFor } from '../create/create-defaults.ts'
import { useRecordAtHand } from '../shell/shell-context.ts'
import { SelectionBar } from '../table/selection-bar.tsx'
import type { Selection, ShownRows } from '../table/use-selection.ts'
import { Button } from '../ui/button.tsx'
import type { ActionRecord } from './edit-records.ts'
import { type Kind, recordName } from './kinds.ts'
import { buildRecordMenu } from './record-menu.ts'
import { useRecordActions } from './use-record-actions.tsx'
import { useRecordKeys } from './use-record-keys.ts'

interface RecordSelectionBarProps<Row> {
  readonly kind: Kind
  readonly selection: Selection<Row>
  readonly shown: ShownRows<Row>
}

/** Changes the selected records, and by the same keys the one that has the focus. */
export function RecordSelectionBar<Row extends ActionRecord>(props: RecordSelectionBarProps<Row>) {
  const { kind, selection, shown } = props
  const console = useConsole()
  const { texts } = console
  const actions = useRecordActions(kind, selection)
  // A selected record may have changed since.
  const rows = () => selection.rows.map((row) => shown.find(row.id) ?? row)
  useRecordKeys(kind, actions, () => {
    const record = shown.atHand()
    return selection.size > 0 ? rows() : record ? [record] : []
  })
  useRecordAtHand(() => {
    const record = shown.atHand()
    return (
      record && {
        name: recordName(record),
        menu: buildRecordMenu(kind, record, actions, console),
        defaults: defaultsFor(kind, record),
      }
    )
  })
  useEffect(() => {
    // The buttons of the bar had the focus.
    if (selection.size === 0 && document.activeElement === document.body) shown.focusAtHand()
  }, [selection.size])
  return (
    <SelectionBar
      size={selection.size}
      progress={actions.progress}
      reason={explainReadOnly(console, kind, rows())}
      remove={() => actions.remove(rows())}
      clear={selection.clear}
    >
      {kind === 'deals' && (
        <Button icon="arrow" onClick={() => actions.chooseStage(rows())}>
          {texts.labels.stage} <kbd>M</kbd>
        </Button>
      )}
      <Button icon="person" onClick={() => actions.chooseOwner(rows())}>
        {texts.labels.owner} <kbd>O</kbd>
      </Button>
      <Button icon="tag" onClick={() => actions.chooseTag(rows())}>
        {texts.labels.tags} <kbd>L</kbd>
      </Button>
      <Button icon="list" onClick={() => actions.chooseList(rows())}>
        {texts.labels.lists}
      </Button>
      <Button icon="edit" onClick={() => actions.chooseField(rows())}>
        {texts.tables.field}
      </Button>
    </SelectionBar>
  )
}
