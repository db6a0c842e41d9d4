import { FieldError } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './items.module.css'
import { ProductField, type ProductFieldProps } from './product-field.tsx'
import { useItemTexts } from './texts.ts'
import type { useNewLine } from './use-new-line.ts'

interface NewLineRowProps extends Pick<ProductFieldProps, 'take' | 'cancel' | 'leave'> {
  readonly newLine: ReturnType<typeof useNewLine>
  /** True if it has the focus. */
  readonly isAt: boolean
  readonly isEdited: boolean
  readonly open: () => void
  readonly reach: () => void
}

const REASON_ID = 'new-line-reason'

/** The line of the grid in which an item is added. */
export function NewLineRow({ newLine, isAt, isEdited, open, reach, ...field }: NewLineRowProps) {
  const itemTexts = useItemTexts()
  const { typed, type, reason } = newLine
  const reasonId = reason === undefined ? undefined : REASON_ID
  return (
    <>
      <tr class={styles.newRow}>
        <td
          colSpan={8}
          class={isEdited ? styles.editing : reason !== undefined ? styles.refused : undefined}
          tabIndex={isAt ? 0 : -1}
          {...{ onFocus: reach, onClick: () => isEdited || open() }}
          {...(isAt && { 'data-at': true })}
          {...(reasonId && { 'aria-invalid': true, 'aria-describedby': reasonId })}
        >
          {isEdited ? (
            <ProductField {...field} isCell typed={typed} type={type} reasonId={reasonId} />
          ) : (
            <span class={styles.value}>
              <Icon name="plus" /> {typed || itemTexts.add}
            </span>
          )}
        </td>
      </tr>
      {reason !== undefined && (
        <tr class={styles.faultRow}>
          <td colSpan={8}>
            <FieldError id={REASON_ID}>{reason}</FieldError>
          </td>
        </tr>
      )}
    </>
  )
}
