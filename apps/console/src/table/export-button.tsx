import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { Button } from '../ui/button.tsx'
import { announce } from '../ui/live-region.tsx'
import { saveFile } from '../ui/save-file.ts'
import text from '../ui/text.module.css'
import { showDone, showError } from '../ui/toasts.tsx'
import { exportPath } from './export-path.ts'

interface ExportButtonProps {
  readonly kind: CreatableKind
  /** The filters and the order of the list. */
  readonly query: object
}

/** Saves all records of a list, with its filters, as a CSV file. */
export function ExportButton({ kind, query }: ExportButtonProps) {
  const { download, texts } = useConsole()
  const [isBusy, setIsBusy] = useState(false)
  const { exports } = texts
  const run = async () => {
    if (isBusy) return
    setIsBusy(true)
    announce(exports.making)
    const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
    const name = `${texts.labels[kind].toLowerCase()}-${day}.csv`
    try {
      saveFile(name, await download(exportPath(kind, query)))
      showDone(exports.saved(name))
    } catch (error) {
      showError(exports.failed(explainError(error, texts)))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button
      icon="download"
      aria-label={exports.label(texts.labels[kind])}
      aria-busy={isBusy}
      onClick={() => void run()}
    >
      <span class={text.deskOnly}>{isBusy ? exports.making : exports.csv}</span>
    </Button>
  )
}
