import { useMemo, useState } from 'preact/hooks'
import type { ImportKind } from './can-import.ts'
import { type RowReading, readRows } from './rows/read-rows.ts'
import type { WorkspaceNames } from './rows/reading-context.ts'
import { forgetRun } from './run/active-runs.ts'
import type { RunState } from './run/import-run.ts'
import { type Plan, planRows } from './run/plan.ts'
import { forgetRefused, isDone, type Progress } from './run/progress.ts'
import { useIndexes } from './run/use-indexes.ts'
import { type RecordLookup, useLookup } from './run/use-lookup.ts'
import { useRun, useRunCreation } from './run/use-run.ts'
import type { ImportFile, ImportSettings, ImportStorage } from './saved/saved-import.ts'
import type { Sheet } from './sheet/sheet.ts'
import { type Reading, useReading } from './use-reading.ts'

/** An import as it is opened: its file, and what was chosen before. */
export interface OpenImport {
  readonly file: ImportFile
  readonly sheet: Sheet
  readonly settings: ImportSettings
  readonly progress: Progress
}

export interface ImportSession extends Reading {
  readonly kind: ImportKind
  readonly file: ImportFile
  readonly sheet: Sheet
  readonly names: WorkspaceNames
  readonly settings: ImportSettings
  readonly plan: Plan
  readonly lookup: RecordLookup
  readonly progress: Progress
  /** Undefined before it has run in this tab. */
  readonly runState: RunState | undefined
  readonly change: (changes: Partial<ImportSettings>) => void
  /** Brings in the rows that are not done, with changed settings and progress if there are any. */
  readonly start: (changes?: Partial<ImportSettings>, progress?: Progress) => void
  readonly stop: () => void
  /** Goes back to the columns. The rows that the service refused are open again. */
  readonly reopen: () => void
  /** Forgets the import: it is done, or discarded. */
  readonly finish: () => void
}

/** The state of an import, and what can be done with it. */
export function useImportSession(
  kind: ImportKind,
  opened: OpenImport,
  names: WorkspaceNames,
  storage: ImportStorage,
): ImportSession {
  const { file, sheet } = opened
  const [settings, setSettings] = useState(opened.settings)
  const indexes = useIndexes(kind)
  const reading = useReading(kind, sheet, settings, names)
  const { columns, context, readings } = reading
  const lookup = useLookup(kind, readings, indexes)
  const run = useRun(opened.settings.id, file.name)
  const [savedProgress, setSavedProgress] = useState(opened.progress)
  const progress = run.state?.progress ?? savedProgress
  const { updates } = settings
  const plan = useMemo(
    () => planRows(pendingReadings(readings, progress), { kind, updates, ...indexes }),
    [readings, progress, kind, updates, indexes, lookup.version],
  )
  const createRun = useRunCreation(kind, storage, names.fields)
  const change = (changes: Partial<ImportSettings>): ImportSettings => {
    const changed = { ...settings, ...changes }
    setSettings(changed)
    void storage.save('settings', changed)
    return changed
  }
  return {
    kind,
    file,
    sheet,
    names,
    settings,
    ...reading,
    plan,
    lookup,
    progress,
    runState: run.state,
    change,
    start(changes = {}, from = progress) {
      const chosen = change({ ...changes, step: 'run' })
      const rows = readRows(sheet.rows, columns, context, chosen.corrections)
      run.start(createRun({ settings: chosen, rows, columns, progress: from, ...indexes }))
    },
    stop: run.stop,
    reopen() {
      const open = forgetRefused(progress)
      setSavedProgress(open)
      run.forget()
      change({ step: 'columns' })
      void storage.save('progress', open)
    },
    finish() {
      forgetRun(settings.id)
      void storage.delete()
    },
  }
}

function pendingReadings(readings: readonly RowReading[], { outcomes }: Progress): readonly RowReading[] {
  return readings.filter(({ row }) => !isDone(outcomes.get(row.number)))
}
