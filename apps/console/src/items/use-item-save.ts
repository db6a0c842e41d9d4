import type { LineItem } from '@sales-crm/client'
import { CrmApiError } from '@sales-crm/client'
import { isDiscountTooHigh } from '@sales-crm/core/browser'
import { useConsole } from '../app/console-context.ts'
import { explainError, fieldErrors } from '../cache/explain-error.ts'
import { showError } from '../ui/toasts.tsx'
import { EDITED_COLUMNS, type EditedColumn, ITEM_COLUMNS, type ItemNotation } from './item-columns.ts'
import type { ItemChanges } from './use-item-changes.ts'

/** What was typed for an item, by column. */
export type TypedItem = Readonly<Partial<Record<EditedColumn, string>>>

/** Why texts were refused, by column. */
export type ItemErrors = Readonly<Partial<Record<EditedColumn, string>>>

/**
 * Saves what was typed for an item.
 * @param refuse gets what the service says later
 * @returns the errors that were found before anything was sent; undefined if there are none
 */
export type SaveItem = (
  item: LineItem,
  typed: TypedItem,
  refuse: (errors: ItemErrors) => void,
) => ItemErrors | undefined

export function useItemSave(notation: ItemNotation, changes: ItemChanges): SaveItem {
  const { texts } = useConsole()
  const { itemTexts } = notation
  return (item, typed, refuse) => {
    const columns = EDITED_COLUMNS.filter((column) => typed[column] !== undefined)
    const results = columns.map(
      (column) => [column, parse(column, typed[column] ?? '', item, notation)] as const,
    )
    const errors = results.filter(([, result]) => typeof result === 'string')
    if (errors.length > 0) return Object.fromEntries(errors)
    const values = Object.assign({}, ...results.map(([, result]) => result)) as Partial<LineItem>
    if (Object.keys(values).length === 0) return undefined
    const [first = 'name'] = columns
    if (isDiscountTooHigh({ ...item, ...values }))
      return { [columns.includes('discount') ? 'discount' : first]: itemTexts.errors.discount }
    changes.update(item, values, {
      label: columns.length === 1 ? itemTexts.columns[first] : item.name,
      onError(error) {
        // The line of a deleted item or deal shows nothing of what was typed.
        if (error instanceof CrmApiError && error.status === 404)
          return showError(texts.errors.deletedElsewhere(item.name, Object.values(typed).join(', ')))
        const found = Object.entries(fieldErrors(error)).filter(([name]) =>
          columns.some((each) => each === name),
        )
        refuse(found.length > 0 ? Object.fromEntries(found) : { [first]: explainError(error, texts) })
      },
    })
    return undefined
  }
}

/** @returns no values for those that the item has */
function parse(column: EditedColumn, typed: string, item: LineItem, notation: ItemNotation) {
  const result = ITEM_COLUMNS[column].parse(typed, notation)
  if (typeof result === 'string') return result
  return JSON.stringify(result[column]) === JSON.stringify(item[column]) ? {} : result
}
