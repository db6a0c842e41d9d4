import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { otherTabs } from '../cache/tabs-context.ts'
import type { Kind } from '../records/kinds.ts'
import { updateRecord } from '../records/use-record-update.ts'
import { showDone, showFault } from '../ui/toasts.tsx'
import { runInParallel } from './run-in-parallel.ts'
import type { Selection } from './use-selection.ts'

/** Calls that are sent at once. */
const CONCURRENCY = 4

/** Changes the selected records one by one. Those that fail stay selected. */
export function useBulkChange<Row extends { readonly id: string }>(kind: Kind, selection: Selection<Row>) {
  const { crm, texts } = useConsole()
  const client = useQueryClient()
  const [progress, setProgress] = useState<string>()

  async function run(change: (id: string) => Promise<unknown>): Promise<void> {
    const ids = selection.rows.map(({ id }) => id)
    const faults = await runInParallel(ids, CONCURRENCY, change, (done) =>
      setProgress(texts.tables.progress(done, ids.length)),
    )
    setProgress(undefined)
    selection.keep(new Set(faults.keys()))
    await client.invalidateQueries()
    otherTabs()?.announceChange()
    const [fault] = faults.values()
    if (fault === undefined) showDone(texts.tables.changed(ids.length))
    else showFault(texts.tables.failed(faults.size, explainError(fault, texts)))
  }

  return {
    progress,
    setOwner: (memberId: string) =>
      void run((id) => updateRecord(crm, kind, id, { owner_user_id: memberId })),
    addTag: (tagId: string) =>
      void run(async (id) => {
        const { tags } = await crm[kind].get(id)
        const ids = new Set([...tags.map((tag) => tag.id), tagId])
        return updateRecord(crm, kind, id, { tags: [...ids] })
      }),
    addList: (listId: string) =>
      void run(async (id) => {
        const { lists } = await crm[kind].get(id)
        const ids = new Set([...lists.map((list) => list.id), listId])
        return updateRecord(crm, kind, id, { lists: [...ids] })
      }),
    deleteAll: () => void run((id) => crm[kind].delete(id)),
  }
}
