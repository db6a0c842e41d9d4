import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import { useImportTexts } from '../texts/texts.ts'
import type { ColumnRowProps } from './column-row-props.ts'
import styles from './columns.module.css'
import { FormatChoice } from './format-choice.tsx'
import { NewFieldForm } from './new-field-form.tsx'
import { type ColumnReason, markReason } from './reason.ts'
import { NEW_FIELD } from './target.ts'
import { TargetSelect } from './target-select.tsx'

/** A column of the file, and the choice of what it becomes. */
export function ColumnRow(props: ColumnRowProps) {
  const { columns: texts } = useImportTexts()
  const { column, index } = props
  const head = column.name || texts.noHead(index + 1)
  const samples = [...column.samples, ...(column.has_empty ? [texts.empty] : [])].join(' · ')
  return (
    <tr>
      <th scope="row" title={head}>
        {head}
      </th>
      <td>
        <span class={classNames(styles.samples, text.soft)} title={samples}>
          {samples}
        </span>
      </td>
      <td>
        <Icon name="arrow" />
      </td>
      <td>
        <div class={styles.becomes}>
          <TargetSelect {...props} head={head} />
          {column.target?.field === NEW_FIELD && (
            <NewFieldForm {...props} target={column.target} head={head} />
          )}
          <FormatChoice {...props} head={head} />
        </div>
      </td>
      <td>
        <Why column={column} />
      </td>
    </tr>
  )
}

function Why({ column }: Pick<ColumnRowProps, 'column'>) {
  const texts = useImportTexts()
  const mark = markReason(column)
  const reason = column.is_ambiguous
    ? texts.columns.ambiguous
    : column.reason
      ? texts.reason(column.reason as ColumnReason)
      : texts.columns.chosen
  return (
    <span class={classNames(styles.why, mark === 'alert' && styles.isUnsure)} title={reason}>
      <Icon name={mark} />
      <span>{reason}</span>
    </span>
  )
}
