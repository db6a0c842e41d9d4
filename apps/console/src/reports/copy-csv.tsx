import { Button, IconButton } from '../ui/button.tsx'
import { showDone, showError } from '../ui/toasts.tsx'
import { type ReportTable, writeTable } from './report-table.ts'
import styles from './reports.module.css'
import { useReportTexts } from './texts.ts'

interface CopyCsvProps {
  readonly title: string
  readonly table: ReportTable
  /** Only the icon, where there is no head. */
  readonly isIcon?: boolean
}

/** Copies a table to the clipboard. */
export function CopyCsv({ title, table, isIcon = false }: CopyCsvProps) {
  const texts = useReportTexts()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(writeTable(table))
      showDone(texts.copied(title))
    } catch {
      showError(texts.notCopied(title))
    }
  }
  const label = texts.copyCsv(title)
  if (isIcon)
    return <IconButton small icon="copy" label={label} title={label} class={styles.corner} onClick={copy} />
  return (
    <Button small look="quiet" icon="copy" aria-label={label} class={styles.copy} onClick={copy}>
      {texts.csv}
    </Button>
  )
}
