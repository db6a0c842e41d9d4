import { useMemo } from 'preact/hooks'
import { useSearchParams } from 'wouter'
import { useMenu } from '../reference/queries.ts'
import { mergeParams, readOwnChange, type ViewParams } from '../views/view-params.ts'

const FILTERS = ['filter', 'search', 'owner', 'tag', 'list', 'month', 'status', 'stage', 'due']

/**
 * The filters and the view of a page, which its address holds, so that a link shows what its sender saw. Of a saved view,
 * the address has the id and what differs from it.
 */
export function useViewParams() {
  const [own, setOwn] = useSearchParams()
  const view = useSavedView()
  const text = own.toString()
  const params = useMemo(() => mergeParams(own, view), [text, view])
  /** Sets parameters; undefined removes one. The history gets no entry. */
  function set(changes: ViewParams): void {
    setOwn(
      (previous) => {
        const next = new URLSearchParams(previous)
        for (const [name, value] of Object.entries(changes)) {
          const change = readOwnChange(name, value, view)
          if (change === undefined) next.delete(name)
          else next.set(name, change)
        }
        return next
      },
      { replace: true },
    )
  }
  return {
    params,
    set,
    /** Removes all filters; the order, the columns and the pipeline stay. */
    clear: () => set(Object.fromEntries(FILTERS.map((name) => [name, undefined]))),
  }
}

/** The saved view that the address names, once it is read. */
export function useSavedView() {
  const [own] = useSearchParams()
  const views = useMenu('views')
  const id = own.get('saved')
  return id === null ? undefined : views.data?.find((each) => each.id === id)
}
