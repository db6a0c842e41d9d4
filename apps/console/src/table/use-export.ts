import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { announce } from '../ui/live-region.tsx'
import { saveFile } from '../ui/save-file.ts'
import { showDone, showError } from '../ui/toasts.tsx'
import { exportName } from './export-name.ts'
import { exportPath } from './export-path.ts'

interface Export {
  /** True while a file is made. */
  readonly isBusy: boolean
  /** @param fields names of those that become columns; default all */
  readonly run: (fields?: readonly string[]) => void
}

/** Saves all records of a list, with its filters, as a CSV file. */
export function useExport(kind: CreatableKind, query: object): Export {
  const { download, texts } = useConsole()
  const [isBusy, setIsBusy] = useState(false)
  const { exports } = texts
  async function save(fields?: readonly string[]): Promise<void> {
    if (isBusy) return
    setIsBusy(true)
    announce(exports.making)
    const name = exportName(texts.labels[kind])
    try {
      saveFile(name, await download(exportPath(kind, query, fields)))
      showDone(exports.saved(name))
    } catch (error) {
      showError(exports.failed(explainError(error, texts)))
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, run: (fields) => void save(fields) }
}
