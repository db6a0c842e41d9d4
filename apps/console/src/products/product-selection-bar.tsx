import type { ProductListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { explainReadOnly } from '../app/permissions.ts'
import { FieldDialog } from '../records/lazy-dialogs.ts'
import { useRecordsChange } from '../records/use-records-change.ts'
import { useShell } from '../shell/shell-context.ts'
import { SelectionBar } from '../table/selection-bar.tsx'
import type { Selection } from '../table/use-selection.ts'
import { Button } from '../ui/button.tsx'

/** Sells or no longer sells the selected products, or deletes them. */
export function ProductSelectionBar({ selection }: { readonly selection: Selection<ProductListItem> }) {
  const console = useConsole()
  const { texts } = console
  const { progress, setFields, remove } = useRecordsChange('products', selection)
  const { show } = useShell()
  const { rows } = selection
  const chooseField = () =>
    show((close) => (
      <FieldDialog
        {...{ subject: texts.tables.selected(rows.length), kind: 'products', close }}
        save={(value) => 'fields' in value && setFields(rows, value.fields)}
      />
    ))
  return (
    <SelectionBar
      size={selection.size}
      progress={progress}
      reason={explainReadOnly(console, 'products', rows)}
      remove={() => remove(rows)}
      clear={selection.clear}
    >
      <Button icon="edit" onClick={chooseField}>
        {texts.tables.field}
      </Button>
      <Button icon="check" onClick={() => setFields(rows, { is_active: true })}>
        {texts.products.active}
      </Button>
      <Button icon="x" onClick={() => setFields(rows, { is_active: false })}>
        {texts.products.inactive}
      </Button>
    </SelectionBar>
  )
}
