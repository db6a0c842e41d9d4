import { useEffect, useMemo, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { LoadError } from '../shell/load-boundary.tsx'
import { Bar, pageStyles, usePageTitle } from '../shell/page-parts.tsx'
import { showError } from '../ui/toasts.tsx'
import { canImport, type ImportKind } from './can-import.ts'
import { matchColumns } from './columns/match-columns.ts'
import { listTargets } from './columns/target.ts'
import { ImportSteps } from './import-steps.tsx'
import type { WorkspaceNames } from './rows/reading-context.ts'
import { findRun } from './run/active-runs.ts'
import { NO_PROGRESS } from './run/progress.ts'
import { type ImportFile, ImportStorage, type SavedImport } from './saved/saved-import.ts'
import { parseSheet } from './sheet/parse-sheet.ts'
import type { Sheet } from './sheet/sheet.ts'
import { FileStep } from './steps/file-step.tsx'
import { StepBar } from './steps/step-bar.tsx'
import { useImportTexts } from './texts.ts'
import type { OpenImport } from './use-import-session.ts'
import { useWorkspaceNames } from './use-workspace-names.ts'

/** Brings people or companies in from a file. */
export function ImportPage({ kind }: { readonly kind: ImportKind }) {
  const { me } = useConsole()
  const texts = useImportTexts()
  const { names, error, retry } = useWorkspaceNames(kind)
  usePageTitle(texts.title[kind])
  if (!canImport(me, kind))
    return (
      <>
        <Bar>
          <h1>{texts.title[kind]}</h1>
        </Bar>
        <p class={pageStyles.state}>{texts.forbidden}</p>
      </>
    )
  if (names) return <ImportFlow kind={kind} names={names} />
  return (
    <>
      <StepBar kind={kind} step="file" />
      {error && <LoadError error={error} retry={retry} />}
    </>
  )
}

interface ImportFlowProps {
  readonly kind: ImportKind
  readonly names: WorkspaceNames
}

/** The file first, then the steps of what was opened. */
function ImportFlow({ kind, names }: ImportFlowProps) {
  const { me, workspace } = useConsole()
  const texts = useImportTexts()
  const storage = useMemo(
    () =>
      new ImportStorage(
        `${workspace.id}.${me.id}.${kind}`,
        once(() => showError(texts.file.notStored)),
      ),
    [workspace.id, me.id, kind, texts],
  )
  const saved = useSavedImport(storage)
  const [opened, setOpened] = useState<OpenImport>()
  const [isBack, setIsBack] = useState(false)

  const openSaved = (value: SavedImport) => {
    const sheet = parseSheet(value.file.text)
    if (!('code' in sheet)) setOpened({ ...value, sheet })
  }
  const running = saved.value && findRun(saved.value.settings.id)
  useEffect(() => {
    if (running && saved.value && !isBack) openSaved(saved.value)
  }, [running, saved.value, isBack])

  if (saved.isLoading) return <StepBar kind={kind} step="file" />
  if (opened)
    return (
      <ImportSteps
        key={opened.settings.id}
        kind={kind}
        opened={opened}
        names={names}
        storage={storage}
        goBack={() => {
          setIsBack(true)
          setOpened(undefined)
          void saved.reload()
        }}
      />
    )
  return (
    <FileStep
      kind={kind}
      isBack={isBack}
      saved={saved.value}
      open={(file, sheet) => {
        const fresh = createImport(kind, file, sheet, names, me.id)
        setOpened({ ...fresh, sheet })
        void saved.replace(fresh)
      }}
      goOn={openSaved}
      discard={() => void saved.discard()}
    />
  )
}

function once(run: () => void): () => void {
  let hasRun = false
  return () => {
    if (!hasRun) run()
    hasRun = true
  }
}

function createImport(
  kind: ImportKind,
  file: ImportFile,
  sheet: Sheet,
  names: WorkspaceNames,
  ownerId: string,
): SavedImport {
  return {
    file,
    settings: {
      id: crypto.randomUUID(),
      step: 'columns',
      targets: matchColumns(sheet.heads, kind, listTargets(kind, names.fields)),
      corrections: new Map(),
      updates: true,
      ownerId,
    },
    progress: NO_PROGRESS,
  }
}

/** The import that the browser keeps. Without storage there is none. */
function useSavedImport(storage: ImportStorage) {
  const [isLoading, setIsLoading] = useState(true)
  const [value, setValue] = useState<SavedImport>()
  const reload = async () => {
    setValue(await storage.load().catch(() => undefined))
    setIsLoading(false)
  }
  useEffect(() => void reload(), [storage])
  return {
    isLoading,
    value,
    reload,
    async replace({ file, settings, progress }: SavedImport): Promise<void> {
      await storage.save('file', file)
      await storage.save('settings', settings)
      await storage.save('progress', progress)
    },
    async discard(): Promise<void> {
      setValue(undefined)
      await storage.delete()
    },
  }
}
