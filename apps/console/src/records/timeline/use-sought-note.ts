import type { TimelineEntry } from '@sales-crm/client'
import { useEffect } from 'preact/hooks'
import { useSearchParams } from 'wouter'
import type { useTimeline } from './use-timeline.ts'

/** A note further back is not looked for: each page is a call. */
const MAX_PAGES = 25

/** The id of the note that the address names. */
export function useNoteId(): string | null {
  return useSearchParams()[0].get('note')
}

/** Loads earlier entries until they have the note that the address names. */
export function useSoughtNote(timeline: ReturnType<typeof useTimeline>): void {
  const id = useNoteId()
  const { data, hasNextPage, isFetching, fetchNextPage } = timeline
  const isNote = (entry: TimelineEntry) => entry.kind === 'activity' && entry.activity.id === id
  const pages = data?.pages ?? []
  const isMissing = id !== null && pages.length > 0 && !pages.some((page) => page.data.some(isNote))
  const loadsMore = isMissing && hasNextPage && !isFetching && pages.length < MAX_PAGES
  useEffect(() => {
    if (loadsMore) void fetchNextPage()
  }, [loadsMore, pages.length])
}
