import type { LineItem } from '@sales-crm/client'
import { BILLING_CYCLES } from '@sales-crm/core/browser'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Input, Select } from '../ui/field.tsx'
import { EDITED_COLUMNS, type EditedColumn, ITEM_COLUMNS, type ItemNotation } from './item-columns.ts'
import styles from './items.module.css'
import type { ItemErrors, TypedItem } from './use-item-save.ts'

interface ItemDialogProps {
  readonly item: LineItem
  readonly notation: ItemNotation
  /** What was typed before it was refused. */
  readonly typed: TypedItem
  readonly errors: ItemErrors
  /** @returns the errors that keep it open */
  readonly save: (typed: TypedItem) => ItemErrors | undefined
  readonly remove: () => void
  readonly close: () => void
}

/** The fields of an item. */
export function ItemDialog({ item, notation, save, remove, close, ...initial }: ItemDialogProps) {
  const { texts } = useConsole()
  const { itemTexts } = notation
  const [typed, setTyped] = useState<TypedItem>(initial.typed)
  const [errors, setErrors] = useState<ItemErrors>(initial.errors)
  const textOf = (column: EditedColumn) => typed[column] ?? ITEM_COLUMNS[column].format(item, notation)
  const change = (column: EditedColumn) => (text: string) => setTyped({ ...typed, [column]: text })
  function submit(): void {
    const found = save(typed)
    if (found) setErrors(found)
    else close()
  }
  return (
    <Dialog title={item.name} close={close}>
      <form
        class={styles.fields}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {EDITED_COLUMNS.map((column) => (
          <Field
            key={column}
            label={itemTexts.columns[column]}
            error={errors[column]}
            hint={column === 'discount' ? itemTexts.discountHint : undefined}
          >
            {(ids) =>
              column === 'billing_cycle' ? (
                <Select {...ids} value={textOf(column)} change={change(column)}>
                  {BILLING_CYCLES.map((cycle) => (
                    <option key={cycle} value={cycle}>
                      {texts.products.billing[cycle]}
                    </option>
                  ))}
                </Select>
              ) : (
                <Input
                  {...ids}
                  value={textOf(column)}
                  change={change(column)}
                  inputMode={column === 'name' || column === 'discount' ? undefined : 'decimal'}
                />
              )
            }
          </Field>
        ))}
        <DialogActions>
          <Button
            look="risky"
            onClick={() => {
              remove()
              close()
            }}
          >
            {itemTexts.remove}
          </Button>
          <Button onClick={close}>{texts.actions.cancel}</Button>
          <Button look="main" type="submit">
            {texts.actions.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
