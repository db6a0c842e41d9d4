import { Select } from '../../ui/field.tsx'
import { useImportTexts } from '../texts/texts.ts'
import type { ColumnChanges, ColumnRowProps } from './column-row-props.ts'
import { valueFormat } from './target.ts'

interface FormatChoiceProps extends Pick<ColumnRowProps, 'column' | 'fields' | 'change'> {
  /** The name of the column. */
  readonly head: string
}

/** How the numbers or dates of a column are read. Nothing for other columns. */
export function FormatChoice({ column, fields, change, head }: FormatChoiceProps) {
  const { columns } = useImportTexts()
  const format = column.target && valueFormat(column.target, fields)
  if (!format) return null
  const [label, value, names] =
    format === 'number'
      ? [columns.numberFormat(head), column.number_format, columns.numberFormats]
      : [columns.dateOrder(head), column.date_order, columns.dateOrders]
  const name = format === 'number' ? 'number_format' : 'date_order'
  return (
    <Select
      small
      aria-label={label}
      value={value}
      change={(chosen) => change({ [name]: chosen } as ColumnChanges)}
    >
      {Object.entries(names).map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </Select>
  )
}
