import { useSearchParams } from 'wouter'

const FILTERS = ['search', 'owner', 'tag', 'list', 'month', 'status', 'stage', 'due']

/** The filters and the view of a page, which its address holds, so that a link shows what its sender saw. */
export function useViewParams() {
  const [params, setParams] = useSearchParams()
  /** Sets parameters; undefined removes one. The history gets no entry. */
  function set(changes: Readonly<Record<string, string | undefined>>): void {
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous)
        for (const [name, value] of Object.entries(changes))
          if (value === undefined || value === '') next.delete(name)
          else next.set(name, value)
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
