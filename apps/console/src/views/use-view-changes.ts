import type { NewView, View, ViewChanges } from '@sales-crm/client'
import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { useBulkChange } from '../bulk/use-bulk-change.ts'
import { explainError } from '../cache/explain-error.ts'
import { toTree } from '../filters/filter.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { useMenu } from '../reference/queries.ts'
import { showDone, showReason } from '../ui/toasts.tsx'
import { collectFilter } from './collect-filter.ts'
import { useViewTexts } from './texts.ts'

/** Filters that a saved view keeps among its comparisons. */
const KEPT_CHIPS = ['owner', 'tag', 'list', 'status', 'stage', 'pipeline', 'due']
const VIEW_PARAMS = ['filter', 'sort', 'order', 'group', 'columns']

/** What is done with the views of a page. A failure is said, and changes nothing. */
export function useViewChanges(kind: CreatableKind) {
  const { crm, texts: shared } = useConsole()
  const texts = useViewTexts()
  const client = useQueryClient()
  const { start } = useBulkChange()
  const { params } = useViewParams()
  const [own, setOwn] = useSearchParams()
  const [members, teams] = [useMenu('members').data ?? [], useMenu('teams').data ?? []]

  /** What the page shows, for a view. */
  function readPage(): Pick<NewView, 'filter' | 'order_by' | 'order' | 'group_by' | 'columns' | 'layout'> {
    const columns = params.get('columns')
    const sort = params.get('sort')
    return {
      filter: toTree(collectFilter(kind, params, { members, teams })),
      order_by: sort,
      ...(sort !== null && { order: params.get('order') ?? 'asc' }),
      group_by: params.get('group') as NewView['group_by'],
      columns: columns === null ? null : columns.split(','),
      ...(kind === 'deals' && { layout: params.get('view') === 'table' ? 'table' : 'board' }),
    }
  }

  async function attempt(change: () => Promise<void>): Promise<boolean> {
    try {
      await change()
      return true
    } catch (error) {
      showReason(explainError(error, shared))
      return false
    } finally {
      void client.invalidateQueries({ queryKey: ['views'] })
    }
  }

  /** Shows a view, or with undefined all records; what is searched for stays. */
  function open(id: string | undefined): void {
    setOwn((previous) => {
      const next = new URLSearchParams(previous)
      for (const name of [...KEPT_CHIPS, ...VIEW_PARAMS]) next.delete(name)
      if (id === undefined) next.delete('saved')
      else next.set('saved', id)
      return next
    })
  }

  return {
    open,
    create: (name: string) =>
      attempt(async () => {
        const view = await crm.views.create({ kind, name, ...readPage() })
        client.setQueryData<readonly View[]>(['views'], (views = []) => [...views, view])
        showDone(texts.saved(name))
        open(view.id)
      }),
    save: (view: View) =>
      attempt(async () => {
        const saved = await crm.views.update(view.id, readPage())
        client.setQueryData<readonly View[]>(['views'], (views = []) =>
          views.map((each) => (each.id === saved.id ? saved : each)),
        )
        showDone(texts.saved(view.name))
        open(view.id)
      }),
    change: (view: View, changes: ViewChanges) =>
      attempt(async () => {
        await crm.views.update(view.id, changes)
        showDone(texts.saved(changes.name ?? view.name))
      }),
    remove: (view: View) =>
      attempt(async () => {
        await crm.views.delete(view.id)
        showDone(texts.deleted(view.name))
        open(undefined)
      }),
    /** Makes a list of the records that the view has now, which later changes of the records leave as it is. */
    copyIntoList: (view: View, name: string) =>
      attempt(async () => {
        const { id } = await crm.lists.create({ name })
        void client.invalidateQueries({ queryKey: ['lists'] })
        start(kind, { view: view.id }, { add_lists: [id] })
      }),
    reset: () => own.has('saved') && open(own.get('saved') ?? undefined),
  }
}
