import { useConsole } from '../app/console-context.ts'
import { exportName } from '../table/export-name.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { showDone, showError } from '../ui/toasts.tsx'
import { type ReportTable, writeTable } from './report-table.ts'
import styles from './reports.module.css'
import { useReportTexts } from './texts.ts'

interface CsvActionsProps {
  readonly title: string
  readonly table: ReportTable
  /** Only icons, where there is no head. */
  readonly areIcons?: boolean
}

/** Copies a table to the clipboard, or saves it as a file. */
export function CsvActions({ title, table, areIcons = false }: CsvActionsProps) {
  const { texts: shared } = useConsole()
  const texts = useReportTexts()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(writeTable(table))
      showDone(texts.copied(title))
    } catch {
      showError(texts.notCopied(title))
    }
  }
  const save = () => {
    const name = exportName(title)
    // By the byte order mark, spreadsheets know that a file is UTF-8.
    saveFile(name, new Blob([`\uFEFF${writeTable(table)}\r\n`], { type: 'text/csv' }))
    showDone(shared.exports.saved(name))
  }
  const [copyLabel, saveLabel] = [texts.copyCsv(title), shared.exports.label(title)]
  return (
    <div class={areIcons ? styles.corner : styles.csv}>
      {areIcons ? (
        <IconButton small icon="copy" label={copyLabel} title={copyLabel} onClick={copy} />
      ) : (
        <Button small look="quiet" icon="copy" aria-label={copyLabel} onClick={copy}>
          {texts.csv}
        </Button>
      )}
      <IconButton small icon="download" label={saveLabel} title={saveLabel} onClick={save} />
    </div>
  )
}
