import { useMemo } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { listPreviewColumns } from './preview-columns.ts'

const MAX_ROWS = 20

/** The first rows as they will be. */
export function PreviewTable({ session }: { readonly session: ImportSession }) {
  const console = useConsole()
  const texts = useImportTexts()
  const { columns, names, plan, lookup } = session
  const { review } = texts
  const shown = useMemo(
    () => listPreviewColumns(columns, names, texts, console),
    [columns, names, texts, console],
  )
  const rows = plan.rows.slice(0, MAX_ROWS)
  return (
    <div>
      <div class={styles.blockHead}>
        <h3>{review.preview}</h3>
        <span class={text.count}>{review.previewText(rows.length, plan.rows.length)}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by the keyboard. */}
      <section class={styles.preview} tabIndex={0} aria-label={review.preview}>
        <table class={styles.table}>
          <thead>
            <tr>
              <th scope="col">{texts.problems.row}</th>
              <th scope="col">{review.action}</th>
              {shown.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, draft, isUpdate }) => (
              <tr key={row.number}>
                <td class={text.soft}>{console.formatNumber(row.number)}</td>
                <td>{lookup.isComplete ? (isUpdate ? review.isUpdate : review.isNew) : '…'}</td>
                {shown.map(({ label, format }) => (
                  <Cell key={label} value={format(draft)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Cell({ value }: { readonly value: string }) {
  return (
    <td class={classNames(value === '' && text.soft)} title={value}>
      {value === '' ? '—' : value}
    </td>
  )
}
