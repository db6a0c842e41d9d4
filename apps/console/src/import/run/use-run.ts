import type { CustomField } from '@sales-crm/client'
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'preact/compat'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { otherTabs } from '../../cache/other-tabs.ts'
import { showDone } from '../../ui/toasts.tsx'
import type { ImportKind } from '../can-import.ts'
import type { Target } from '../columns/target.ts'
import type { RowReading } from '../rows/read-rows.ts'
import type { ImportSettings, ImportStorage } from '../saved/saved-import.ts'
import { useImportTexts } from '../texts.ts'
import { findRun, forgetRun, startRun } from './active-runs.ts'
import { isWorkspaceFull } from './failures.ts'
import { createImportApi } from './import-api.ts'
import { ImportRun, type RunState } from './import-run.ts'
import { writePace } from './paces.ts'
import type { Progress } from './progress.ts'
import { wait } from './timing.ts'
import type { Indexes } from './use-indexes.ts'

/** The run of an import in this tab. */
export function useRun(id: string, name: string) {
  const client = useQueryClient()
  const texts = useImportTexts()
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const [run, setRun] = useState(() => findRun(id))
  const state = useSyncExternalStore<RunState | undefined>(run?.subscribe ?? noSubscription, () =>
    run?.getState(),
  )
  return {
    state,
    start(next: ImportRun): void {
      setRun(next)
      void startRun(id, next).then(async () => {
        const { status, done, total } = next.getState()
        if (!isShown.current) showDone(`${name}: ${texts.run[status]}. ${texts.run.of(done, total)}`)
        await client.invalidateQueries()
        otherTabs()?.announceChange()
      })
    },
    stop: () => run?.stop(),
    forget(): void {
      forgetRun(id)
      setRun(undefined)
    },
  }
}

const noSubscription = () => () => {}

interface RunParts extends Indexes {
  readonly settings: ImportSettings
  readonly rows: readonly RowReading[]
  readonly columns: readonly (Target | undefined)[]
  readonly progress: Progress
}

/** Builds the run of an import from what was chosen. */
export function useRunCreation(kind: ImportKind, storage: ImportStorage, fields: readonly CustomField[]) {
  const { crm, me, texts } = useConsole()
  return ({ settings, columns, ...parts }: RunParts): ImportRun =>
    new ImportRun({
      ...parts,
      id: settings.id,
      kind,
      targets: columns,
      updates: settings.updates,
      additions: { tagId: settings.tagId, listId: settings.listId, ownerId: settings.ownerId },
      api: createImportApi(crm, kind, me.id),
      pace: writePace,
      wait,
      labelOf: (path) => fields.find(({ key }) => path === `custom_fields.${key}`)?.label ?? path,
      saveProgress: (progress) => void storage.save('progress', progress),
      explain: (error) => (isWorkspaceFull(error) ? (error as Error).message : explainError(error, texts)),
    })
}
