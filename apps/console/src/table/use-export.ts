import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { announce } from '../ui/live-region.tsx'
import { saveFile } from '../ui/save-file.ts'
import { showDone, showError } from '../ui/toasts.tsx'
import { exportName } from './export-name.ts'
import { exportPath } from './export-path.ts'

/** Saves all records of a list, with its filters, as a CSV file. `isBusy` while the file is made. */
export function useExport(
  kind: CreatableKind,
  query: object,
): { readonly isBusy: boolean; readonly run: () => void } {
  const { download, texts } = useConsole()
  const [isBusy, setIsBusy] = useState(false)
  const { exports } = texts
  async function save(): Promise<void> {
    if (isBusy) return
    setIsBusy(true)
    announce(exports.making)
    const name = exportName(texts.labels[kind])
    try {
      saveFile(name, await download(exportPath(kind, query)))
      showDone(exports.saved(name))
    } catch (error) {
      showError(exports.failed(explainError(error, texts)))
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, run: () => void save() }
}
