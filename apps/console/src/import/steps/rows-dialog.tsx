import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import type { Problem } from '../rows/problem.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'

const MAX_ROWS = 200

interface RowsDialogProps {
  readonly session: ImportSession
  readonly problem: Problem
  readonly title: string
  readonly close: () => void
}

/** The rows of a problem, with their names and what is wrong. */
export function RowsDialog({ session, problem, title, close }: RowsDialogProps) {
  const { texts: shared, formatNumber } = useConsole()
  const texts = useImportTexts()
  const { sheet, columns } = session
  const numbers = new Set(problem.rows.slice(0, MAX_ROWS))
  const nameColumn = columns.findIndex(
    (target) => target?.kind === 'fullName' || target?.kind === 'firstName',
  )
  const shown = [...new Set([nameColumn, problem.column ?? -1])].filter((column) => column >= 0)
  return (
    <Dialog title={title} size="wide" close={close}>
      <section class={styles.dialogTable} aria-label={title}>
        <table class={styles.table}>
          <thead>
            <tr>
              <th scope="col">{texts.problems.row}</th>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {sheet.heads[column] || texts.columns.noHead(column + 1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sheet.rows
              .filter(({ number }) => numbers.has(number))
              .map(({ number, cells }) => (
                <tr key={number}>
                  <th scope="row">{formatNumber(number)}</th>
                  {shown.map((column) => (
                    <td key={column} class={classNames(cells[column]?.trim() === '' && text.soft)}>
                      {cells[column]?.trim() || texts.columns.empty}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </section>
      <DialogActions>
        <Button autoFocus onClick={close}>
          {shared.actions.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
